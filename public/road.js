// The road of decoding as a strip: each layer with what became of it; the failed one is open, with
// the bytes around the fault in the layer and in the raw request.
// Invariant: at most one layer is open.

import { definitions, textOrNull } from "./detail.js";
import { chunkOf, hexView, markedBytes } from "./bytes-view.js";
import { byteSize, element, visible, wireText, words } from "./elements.js";

const SIGNS = { passed: "✓", warned: "!", failed: "✗", skipped: "–" };
const SPOKEN = { warned: "passed with a warning" };
const SHOWN_BYTES = 512;

export function roadOf(steps) {
    const place = element("div", { class: "step-place" });
    const buttons = steps.map((step) => {
        const state = stateOf(step);
        const node = element("button", { type: "button", class: "step", "data-state": state, "aria-expanded": "false" },
            words(step.layer), " ", element("span", { "aria-hidden": "true" }, SIGNS[state] ?? ""),
            element("span", { class: "unseen" }, `, ${SPOKEN[state] ?? state}`));
        node.addEventListener("click", () => open(node.getAttribute("aria-expanded") === "true" ? null : step));
        return node;
    });

    function open(step) {
        buttons.forEach((node, index) => node.setAttribute("aria-expanded", String(steps[index] === step)));
        place.replaceChildren(...(step ? [stepView(step)] : []));
    }

    const failed = steps.find(({ state }) => state === "failed")
        ?? steps.find(({ fault }) => fault && fault.severity !== "info");
    open(failed ?? null);
    return element("section", { "aria-label": "Decoding, layer by layer" },
        element("ol", { class: "road" }, buttons.map((node) => element("li", {}, node))), place);
}

/** A layer that went well in spite of what was found in it is not shown as good. */
const stateOf = ({ state, fault }) =>
    (state === "passed" && fault && fault.severity !== "info" ? "warned" : state);

function stepView(step) {
    return element("div", { class: "step-view" },
        step.fault && faultView(step.fault),
        definitions("pairs", [
            ["What went in", step.input && content(step.input)],
            ["What came out", step.output && content(step.output)],
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

function content(value) {
    const { text, bytes } = chunkOf(value);
    const size = `${byteSize(value.bytes ?? bytes.length)}${value.truncated ? ", the start of it" : ""}`;
    return [
        element("span", { class: "soft" }, size),
        text === null ? hexView(bytes.subarray(0, SHOWN_BYTES)) : wireText(text, "pre"),
    ];
}
