// Identical diagnostics of many results, counted together: a list for all results that a search finds.
// Left out: how often other results have a diagnostic of one result, see findings.js.

import { ConnectionLost, Problem, resultPageURL } from "./api.js";
import { element, localTime, problemNotice, shorten, visible, wireText, words, useStyles } from "./elements.js";
import { groupDiagnostics } from "./result-api.js";

const SIGNS = { error: "✗", warning: "!", info: "i" };
const FOUND_LENGTH = 80;
const READ_MILLISECONDS = 5_000;

/**
 * Keeps a list of diagnostics in `place`, as long as somebody may see it, of the results that `queryOf()` finds.
 * Returns what reads it at once; `isSent` says that somebody waits for it.
 */
export function createGroupList(place, queryOf) {
    let timer = 0;
    let asked = null;
    return async function read({ isSent = false } = {}) {
        clearTimeout(timer);
        if (place.hidden || document.hidden) return;
        const query = queryOf();
        if (query !== asked) place.replaceChildren();
        asked = query;
        const shown = element("div", {}, await findingGroups(query));
        if (query !== queryOf() || place.hidden) return;
        // Links that somebody goes through by keyboard stay, and so does what is selected while nothing changes.
        const isRead = !isSent && place.contains(document.activeElement);
        if (!isRead && !place.firstElementChild?.isEqualNode(shown)) place.replaceChildren(shown);
        timer = setTimeout(read, READ_MILLISECONDS);
    };
}

/** Nodes that list the diagnostics of the results that `query` finds. */
async function findingGroups(query) {
    await useStyles("findings.css");
    let report;
    try {
        report = await groupDiagnostics(query);
    } catch (error) {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
        return problemNotice(error);
    }
    const read = `${report.results.toLocaleString()} ${report.results === 1 ? "result" : "results"}`;
    if (report.diagnostics.length === 0) return [element("p", { class: "soft" }, `No diagnostics in ${read}.`)];
    return [
        element("p", { class: "soft" }, report.exact ? `The diagnostics of ${read}, identical ones together.`
            : `The most frequent diagnostics of the newest ${read}, identical ones together.`),
        element("ul", { class: "findings finding-groups" }, report.diagnostics.map(groupItem)),
    ];
}

function groupItem(group) {
    const { severity, code, pointer, contract, expected, found, hint, results, first, last } = group;
    const timeLink = (sighting) => element("a", { href: resultPageURL(sighting.id) },
        localTime(sighting.received_at));
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
