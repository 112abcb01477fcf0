// Bytes as people read them: text where they are text, hexadecimal with the text beside it where
// not.
// Left out: where the bytes come from.

import { element, visible } from "./elements.js";

const PER_LINE = 16;

/**
 * What the API sends as text or as `{ encoding, data }`, as bytes and as text; `text` is null for
 * other bytes.
 */
export function chunkOf(value) {
    if (typeof value === "string") return { text: value, bytes: new TextEncoder().encode(value) };
    if (!value) return { text: "", bytes: new Uint8Array() };
    if (value.encoding !== "base64") {
        const text = value.data ?? value.text ?? "";
        return { text, bytes: new TextEncoder().encode(text) };
    }
    return { text: null, bytes: Uint8Array.from(atob(value.data), (character) => character.charCodeAt(0)) };
}

/** The bytes around a fault, with the faulty ones marked. */
export function markedBytes({ before, marked, after }) {
    const chunks = [before, marked, after].map(chunkOf);
    const isText = chunks.every(({ text }) => text !== null);
    if (isText) {
        const [start, fault, end] = chunks.map(({ text }) => visible(text));
        return element("p", { class: "marked mono wire" }, start, element("mark", {}, fault || "⌷"), end);
    }
    const offset = chunks[0].bytes.length;
    const bytes = Uint8Array.from(chunks.flatMap((chunk) => [...chunk.bytes]));
    return hexView(bytes, { from: offset, to: offset + chunks[1].bytes.length });
}

/** Lines of hexadecimal with the text beside; the bytes from `from` to `to` are marked. */
export function hexView(bytes, { from = -1, to = -1, label = "Bytes in hexadecimal" } = {}) {
    const view = element("pre", { class: "hex", tabindex: "0", role: "region", "aria-label": label });
    for (let start = 0; start < bytes.length; start += PER_LINE) {
        const row = [...bytes.subarray(start, start + PER_LINE)];
        const isMarked = (index) => start + index >= from && start + index < to;
        const part = (text, index) => (isMarked(index) ? element("mark", {}, text) : text);
        const hex = row.flatMap((byte, index) => [part(byte.toString(16).padStart(2, "0"), index), " "]);
        const text = row.map((byte, index) =>
            part(byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·", index));
        view.append(`${start.toString(16).padStart(4, "0")}  `, ...hex,
            " ".repeat(3 * (PER_LINE - row.length) + 1), ...text, "\n");
    }
    return view;
}
