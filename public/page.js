// The page of results.
// Left out: how it behaves, which list-page.js shares with the page of flows.

import { listResults } from "./api.js";
import { button, copyButton, element } from "./elements.js";
import { createFilters } from "./filters.js";
import { startListPage } from "./list-page.js";
import { loadResult } from "./result-detail.js";
import { resultRow } from "./results-table.js";

const INBOX = /^[A-Za-z0-9._-]{1,64}$/;

const filters = createFilters(
    {
        vendor: [],
        inbox: [],
        outcome: ["completed", "cancelled", "error", "in_progress", "empty"],
        verdict: ["decoded", "decoded_with_warnings", "undecodable", "unmatched"],
    },
    {
        kind: [["", "callbacks"], ["stray", "strays"], ["launch", "launches"], ["delivery", "deliveries"],
            ["registration", "registrations"], ["any", "everything"]],
    });

async function read(values, cursor) {
    const { results, next_cursor } = await listResults(values, cursor);
    return { records: results, next_cursor };
}

function emptyState(values, _nextCursor, clear) {
    const onlyInbox = filters.searchOf(values) === filters.searchOf({ inbox: values.inbox });
    const mayTry = onlyInbox && (!values.inbox || INBOX.test(values.inbox));
    const inbox = values.inbox ? `/${values.inbox}` : "";
    const command = `curl "${location.origin}/callbacks/welltory${inbox}?stress=0.32&energy=0.75"`;
    const isFiltered = filters.isFiltered(values);
    return [
        element("h2", {}, isFiltered ? "No result matches these filters"
            : values.kind ? "Nothing of this kind is here" : "Nothing has landed yet"),
        mayTry && element("p", {}, "Send a callback; it shows up here by itself:"),
        mayTry && element("div", { class: "command" },
            element("code", { class: "wire" }, command), copyButton("Copy", () => command)),
        isFiltered && element("p", { class: "actions" }, button("Clear filters", clear)),
    ].filter(Boolean);
}

startListPage({
    noun: "result",
    plural: "results",
    filters,
    kinds: ({ kind }) => kind || "callback",
    table: document.getElementById("results"),
    makeRow: resultRow,
    load: loadResult,
    read,
    emptyState,
});
