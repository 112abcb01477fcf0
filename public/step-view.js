// One layer of the road of decoding: the bytes around its fault, in the layer and in the raw request, and its input and
// output. It is read when a layer is opened.

import { chunkOf, hexView, markedBytes } from "./bytes-view.js";
import { definitions, textOrNull } from "./detail.js";
import { byteSize, element, visible, wireText } from "./elements.js";

const SHOWN_BYTES = 512;

export function stepView(step) {
    return element("div", { class: "step-view" },
        step.fault && faultView(step.fault),
        definitions("pairs", [
            content("What went in", step.input),
            content("What came out", step.output),
        ]));
}

function faultView(fault) {
    const { raw } = fault;
    return element("div", { class: "fault-view" },
        fault.marked && [element("p", { class: "soft" }, placeOf(fault)), markedBytes(fault)],
        definitions("pairs", [
            ["Expected", textOrNull(fault.expected)],
            ["Found", textOrNull(fault.found)],
        ]),
        fault.hint && element("p", { class: "hint" }, wireText(fault.hint)),
        raw && [element("p", { class: "soft" }, `In the ${raw.part} of the request as it was received, byte ${raw.offset}`), markedBytes(raw)]);
}

function placeOf({ offset, length, pointer }) {
    const bytes = length > 1 ? `bytes ${offset} to ${offset + length - 1}` : `byte ${offset}`;
    return `At ${bytes} of this layer${pointer ? `, ${visible(pointer)}` : ""}`;
}

function content(title, value) {
    if (!value) return [title, null];
    const { text, bytes } = chunkOf(value);
    const size = `${byteSize(value.bytes ?? bytes.length)}${value.truncated ? ", the start of it" : ""}`;
    const view = text === null ? hexView(bytes.subarray(0, SHOWN_BYTES)) : wireText(text, "pre");
    // It scrolls, by the keyboard too.
    Object.assign(view, { tabIndex: 0, role: "region", ariaLabel: title });
    return [title, [element("span", { class: "soft" }, size), view]];
}
