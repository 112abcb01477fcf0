// The chips under the search box: the terms of a query that are needed most, to choose instead of
// to type.
// Invariant: a chip is a term of the query and nothing else; choosing changes the query's text. A
// value that a chip doesn't offer is shown as it is written. Where the query says it in another way,
// with OR or NOT say, the chip refers to the search and changes nothing.
// Left out: the query's language, see query-terms.js.

import { serverNow } from "./api.js";
import { element, localTime, verdictText, words } from "./elements.js";
import { hasTerm, saysMore, termValue, withTerm, withWholeTerm } from "./query-terms.js";

const OUTCOMES = ["completed", "cancelled", "error", "in_progress", "empty"];
const VERDICTS = ["decoded", "decoded_with_warnings", "undecodable", "unmatched"];
const KINDS = [
    ["", "callbacks"], ["launch", "launches"], ["delivery", "deliveries"], ["stray", "strays"],
    ["registration", "registrations"], ["any", "everything"],
];
const SINCE = "since";
const TODAY = "today";
const ALL_KINDS = "has:kind";
const ELSEWHERE = "see search";

const midnight = () => {
    const date = new Date(serverNow());
    date.setHours(0, 0, 0, 0);
    return `>=${date.toISOString()}`;
};

/** A value that isn't offered, as it is written; a time that a span begins at is written for people. */
function labelOf(name, value) {
    const since = name === "received_at" ? Date.parse(/^>=?(\d{4}-.*)$/.exec(value)?.[1]) : NaN;
    return Number.isNaN(since) ? value : `since ${localTime(new Date(since).toISOString()).textContent}`;
}

/**
 * `change(query)` is called with the query that a choice makes of what `typed()` says, which may not have been sent yet;
 * `clear()` drops all of it.
 */
export function createChips(bar, { typed, change, clear }) {
    const select = (name) => bar.querySelector(`select[name=${name}]`);
    const inbox = bar.querySelector("input[name=inbox]");
    const inboxes = bar.querySelector("#inboxes");
    const since = bar.querySelector("input[name=since]");
    const clearButton = bar.querySelector("#clear");
    let query = "";
    let vendors = [];

    const choices = () => ({
        kind: KINDS,
        vendor: [["", "any"], ...vendors.map(({ name, title }) => [name, title])],
        outcome: [["", "any"], ...OUTCOMES.map((name) => [name, words(name)])],
        verdict: [["", "any"], ...VERDICTS.map((verdict) => [verdict, verdictText({ verdict })])],
        received_at: [["", "any time"], ["-15m", "last 15 minutes"], ["-1h", "last hour"],
            [TODAY, "today"], [SINCE, "since…"]],
    });

    function fill(name) {
        const node = select(name);
        const isElsewhere = name === "kind" ? saysMore(query, "kind:", ALL_KINDS) : saysMore(query, `${name}:`);
        const written = termValue(query, name);
        const value = isElsewhere ? ELSEWHERE
            : name === "kind" && hasTerm(query, ALL_KINDS) ? "any" : written === midnight() ? TODAY : written;
        const offered = isElsewhere ? [] : [...choices()[name]];
        if (!offered.some(([known]) => known === value)) offered.push([value, labelOf(name, value)]);
        node.replaceChildren(...offered.map(([known, label]) => element("option", { value: known }, label)));
        node.value = value;
        node.disabled = isElsewhere;
        node.toggleAttribute("data-active", value !== "");
    }

    function show(text) {
        query = text;
        for (const name of Object.keys(choices())) fill(name);
        inbox.disabled = saysMore(query, "inbox:");
        inbox.value = inbox.disabled ? "" : termValue(query, "inbox");
        inbox.placeholder = inbox.disabled ? ELSEWHERE : "any";
        inbox.toggleAttribute("data-active", inbox.disabled || inbox.value !== "");
        since.parentElement.hidden = document.activeElement !== since;
        clearButton.hidden = query === "";
    }

    function withKind(value) {
        const others = withWholeTerm(withTerm(typed(), "kind", ""), ALL_KINDS, false);
        return value === "any" ? withWholeTerm(others, ALL_KINDS, true) : withTerm(others, "kind", value);
    }

    for (const name of Object.keys(choices())) {
        select(name).addEventListener("change", ({ target: { value } }) => {
            if (value === SINCE) {
                since.parentElement.hidden = false;
                since.focus();
            } else if (name === "kind") {
                change(withKind(value));
            } else {
                // The page may have been open since yesterday.
                change(withTerm(typed(), name, value === TODAY ? midnight() : value));
            }
        });
    }
    inbox.addEventListener("change", () => change(withTerm(typed(), "inbox", inbox.value.trim())));
    // Browsers call each part of a time a change.
    function sendSince() {
        const value = since.value && `>=${new Date(since.value).toISOString()}`;
        if (value && value !== termValue(query, "received_at")) change(withTerm(typed(), "received_at", value));
    }
    since.addEventListener("keydown", ({ key }) => key === "Enter" && sendSince());
    since.addEventListener("blur", () => {
        sendSince();
        show(query);
    });
    clearButton.addEventListener("click", clear);

    return {
        show,
        showVendors(list) {
            vendors = list;
            fill("vendor");
        },
        showInboxes(list) {
            inboxes.replaceChildren(...list.map(({ name, count }) =>
                element("option", { value: name }, `${name} (${count})`)));
        },
    };
}

/** Terms for parameters of an address that name a filter alone, as `?vendor=welltory` does. */
export function queryOfAddress(search) {
    const parameters = new URLSearchParams(search);
    let query = parameters.get("q") ?? "";
    for (const name of ["vendor", "inbox", "outcome", "verdict", "flow"]) {
        if (parameters.get(name)) query = withTerm(query, name, parameters.get(name));
    }
    const kind = parameters.get("kind");
    if (kind === "any") query = withWholeTerm(query, ALL_KINDS, true);
    else if (kind) query = withTerm(query, "kind", kind.includes(",") ? `(${kind.split(",").join(" OR ")})` : kind);
    return query;
}
