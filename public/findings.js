// The diagnostics of a result: one line each, opened one at a time, the first at the start.

import { definitions, diagnosticPlace, section, textOrNull } from "./detail.js";
import { button, element, visible, wireText, words } from "./elements.js";

const SIGNS = { error: "✗", warning: "!", info: "i" };

/** null where there are none. `record`: a whole record, or what was decoded without being stored. */
export function findingsSection(record) {
    const { diagnostics } = record;
    if (diagnostics.length === 0) return null;
    const items = diagnostics.map(finding);
    if (record.id) addHowOften(record, items);
    items[0].open = true;
    const title = diagnostics.length === 1 ? "1 finding" : `${diagnostics.length} findings`;
    return section(title,
        element("div", { class: "findings" }, items),
        items.length > 1 && element("p", { class: "actions" }, button("Next finding", () => openNext(items))));
}

function finding(diagnostic) {
    const { severity, layer, code, pointer, expected, found, hint } = diagnostic;
    return element("details", { class: "finding", "data-severity": severity },
        element("summary", {},
            element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity] ?? ""),
            element("span", {}, element("strong", {}, words(severity)), `: ${words(code ?? "")}`,
                pointer && element("span", { class: "mono wire" }, ` ${visible(pointer)}`))),
        definitions("pairs", [
            ["Expected", textOrNull(expected)],
            ["Found", textOrNull(found)],
            ["Layer", layer && words(layer)],
            ["Where", diagnosticPlace(diagnostic)],
        ]),
        hint && element("p", { class: "hint" }, wireText(hint)));
}

async function addHowOften(record, items) {
    const places = items.map((item) => item.appendChild(element("p", { class: "how-often" })));
    const groups = await import("./finding-groups.js").catch(() => null);
    await groups?.showCounts(record, places);
}

function openNext(items) {
    const current = items.findIndex((item) => item.open);
    const next = items[(current + 1) % items.length];
    for (const item of items) item.open = item === next;
    next.scrollIntoView({ block: "nearest" });
    next.querySelector("summary").focus({ preventScroll: true });
}
