// The road of decoding as a strip: each layer with what became of it; the failed one is open.
// Invariant: at most one layer is open.
// Left out: what an open layer shows (step-view.js).

import { loaded, readIn } from "./detail.js";
import { element, words } from "./elements.js";

const SIGNS = { passed: "✓", warned: "!", failed: "✗", skipped: "–" };
const SPOKEN = { warned: "passed with a warning" };

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
        readIn(place, async () => step && (await loaded(import("./step-view.js"))).stepView(step));
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
