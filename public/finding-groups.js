// Identical findings of many results, counted together: under a finding of one result, and as a list for all
// results that a search finds.

import { ConnectionLost, Problem, resultPageURL } from "./api.js";
import { element, localTime, problemNotice, shorten, visible, wireText, words, useStyles } from "./elements.js";
import { groupDiagnostics } from "./result-api.js";

const SIGNS = { error: "✗", warning: "!", info: "i" };
const COMPARED = ["severity", "layer", "code", "pointer", "expected", "found"];
const FOUND_LENGTH = 80;

const resultLink = (text, { id }) => element("a", { href: resultPageURL(id) }, text);

/**
 * Under each finding of a result: how many results of the vendor have the same. `places` holds a node for each
 * diagnostic, which stays empty if nothing is known.
 */
export async function showCounts({ vendor, diagnostics }, places) {
    try {
        const report = await groupDiagnostics(vendor ? `vendor:${vendor}` : "");
        diagnostics.forEach((diagnostic, index) => {
            const group = report.diagnostics.find((other) =>
                COMPARED.every((name) => (other[name] ?? null) === (diagnostic[name] ?? null)));
            if (!group) return;
            const among = report.exact ? "" : ` among the newest ${report.results.toLocaleString()}`;
            places[index].replaceChildren(...(group.results === 1
                ? [`No other result of this vendor has it${among}.`]
                : [`${group.results.toLocaleString()} results of this vendor have it${among}: `,
                    resultLink("the first", group.first), " came at ", localTime(group.first.received_at), "; ",
                    resultLink("the last", group.last), " at ", localTime(group.last.received_at), "."]));
        });
    } catch (error) {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
    }
}

/** Nodes that list the findings of the results that `query` finds. */
export async function findingGroups(query) {
    await useStyles("result.css");
    let report;
    try {
        report = await groupDiagnostics(query);
    } catch (error) {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
        return problemNotice(error);
    }
    const read = `${report.results.toLocaleString()} ${report.results === 1 ? "result" : "results"}`;
    if (report.diagnostics.length === 0) return [element("p", { class: "soft" }, `No findings in ${read}.`)];
    return [
        element("p", { class: "soft" }, report.exact ? `The findings of ${read}, identical ones together.`
            : `The most frequent findings of the newest ${read}, identical ones together.`),
        element("ul", { class: "findings finding-groups" }, report.diagnostics.map(groupItem)),
    ];
}

function groupItem(group) {
    const { severity, code, pointer, contract, expected, found, hint, results, first, last } = group;
    const timeLink = (sighting) => resultLink(localTime(sighting.received_at), sighting);
    return element("li", { class: "finding", "data-severity": severity },
        element("p", { class: "group-head" },
            element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity] ?? ""),
            element("span", {},
                element("strong", {}, element("span", { class: "unseen" }, `${words(severity)}: `), words(code ?? "")), " ",
                element("span", { class: "wire mono" }, shorten(visible(found ?? ""), FOUND_LENGTH)),
                pointer && [" in ", element("span", { class: "wire mono" }, visible(pointer))],
                ...(results === 1 ? [": once, at ", timeLink(first)]
                    : [`: ${results.toLocaleString()} times since `, timeLink(first), ", last at ", timeLink(last)]))),
        element("p", { class: "group-rule" },
            contract ? `By the contract ${contract}, expected ` : "Expected ", wireText(expected ?? ""), "."),
        hint && element("p", { class: "hint" }, wireText(hint)));
}
