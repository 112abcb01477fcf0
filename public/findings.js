// The diagnostics of a result: one line each, opened one at a time, the first at the start, and how often other
// results have the same.

import { ConnectionLost, Problem, resultPageURL } from "./api.js";
import { definitions, diagnosticPlace, section, textOrNull } from "./detail.js";
import { button, element, localTime, useStyles, visible, wireText, words } from "./elements.js";
import { groupDiagnostics } from "./result-api.js";

const SIGNS = { error: "✗", warning: "!", info: "i" };
const COMPARED = ["severity", "layer", "code", "pointer", "expected", "found"];

const resultLink = (text, { id }) => element("a", { href: resultPageURL(id) }, text);

/** null where there are none. `record`: a whole record, or what was decoded without being stored. */
export async function findingsSection(record) {
    const { diagnostics } = record;
    if (diagnostics.length === 0) return null;
    await useStyles("findings.css");
    const items = diagnostics.map(finding);
    if (record.id) addHowOften(record, items);
    items[0].open = true;
    const title = diagnostics.length === 1 ? "1 diagnostic" : `${diagnostics.length} diagnostics`;
    return section(title,
        element("div", { class: "findings" }, items),
        items.length > 1 && element("p", { class: "actions" }, button("Next diagnostic", () => openNext(items))));
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

/** Under each diagnostic: how many results of the vendor have the same, if that is known. */
async function addHowOften({ id, vendor, diagnostics }, items) {
    const places = items.map((item) => item.appendChild(element("p", { class: "how-often" })));
    try {
        const report = await groupDiagnostics(vendor ? `vendor:${vendor}` : "");
        diagnostics.forEach((diagnostic, index) => {
            const groups = report.diagnostics.filter((other) =>
                COMPARED.every((name) => (other[name] ?? null) === (diagnostic[name] ?? null)));
            if (groups.length === 0) return;
            const among = report.exact ? "" : ` among the newest ${report.results.toLocaleString()}`;
            places[index].replaceChildren(...howOften(groups.reduce(together), id, among));
        });
    } catch (error) {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
    }
}

/** Each contract of a vendor has a group of its own. */
function together(one, other) {
    return {
        results: one.results + other.results,
        first: one.first.received_at <= other.first.received_at ? one.first : other.first,
        last: one.last.received_at >= other.last.received_at ? one.last : other.last,
    };
}

/** The result `id` that is shown may be older than those that were read. */
function howOften({ results, first, last }, id, among) {
    if (results === 1 && first.id === id) return [`No other result of this vendor has it${among}.`];
    if (results === 1) {
        return [`One other result of this vendor has it${among}: `,
            resultLink("it", first), " came at ", localTime(first.received_at), "."];
    }
    return [`${results.toLocaleString()} results of this vendor have it${among}: `,
        resultLink("the first", first), " came at ", localTime(first.received_at), "; ",
        resultLink("the last", last), " at ", localTime(last.received_at), "."];
}

function openNext(items) {
    const current = items.findIndex((item) => item.open);
    const next = items[(current + 1) % items.length];
    for (const item of items) item.open = item === next;
    next.scrollIntoView({ block: "nearest" });
    next.querySelector("summary").focus({ preventScroll: true });
}
