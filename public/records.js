// A record in the list: what is kept of it, which is little, as there may be 100,000 of them, and its row.
// Invariant: a row is one link with all of it, so that it is read, copied and opened as one thing.
// Left out: everything that only the record's own view shows; placing rows, see rows.js.

import { titleOf } from "./api.js";
import { badge, element, exactClock, relativeTime, shorten, utcText, visible, words } from "./elements.js";

const SUMMARY_LENGTH = 240;
const INBOX_LENGTH = 64;
const SIGNS = { error: "✗", warning: "!", info: "i" };

/** The members that lists and streams are asked for. */
export const LISTED_FIELDS = "id,seq,kind,received_at,redecoded_at,inbox,vendor,outcome,verdict,summary,"
    + "first_diagnostic,request.method,request.target";

/** A record of the API as the list keeps it. */
export function slimRecord(record) {
    const first = record.first_diagnostic;
    const time = Date.parse(record.received_at);
    const date = new Date(time);
    return {
        id: record.id,
        seq: record.seq,
        kind: record.kind,
        time,
        receivedAt: record.received_at,
        isAgain: Boolean(record.redecoded_at),
        day: date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate(),
        inbox: record.inbox,
        vendor: record.vendor,
        outcome: record.outcome,
        verdict: record.verdict,
        summary: shorten(visible(record.summary ?? `${record.request.method} ${record.request.target}`), SUMMARY_LENGTH),
        finding: first ? { severity: first.severity, text: shorten(visible(first.message), SUMMARY_LENGTH) } : null,
        hasError: first?.severity === "error",
    };
}

/** Whether somebody should look at it. */
export const isFailed = (record) =>
    record.verdict === "undecodable" || record.outcome === "error" || record.hasError;

/** Whether the verdict says something: what only a callback is asked for isn't missing from others. */
export const isJudged = ({ kind, verdict }) => kind === "callback" || verdict !== "unmatched";

/** `hrefOf(id)` is the address that opens a result. */
export function createRowMaker(hrefOf) {
    function makeRow(record) {
        const vendor = titleOf(record.vendor);
        const about = [
            record.kind !== "callback" && words(record.kind),
            record.inbox !== "default" && shorten(visible(record.inbox ?? ""), INBOX_LENGTH),
        ].filter(Boolean).join(" · ");
        return element("a", { href: hrefOf(record.id) },
            element("span", { class: "row-time" },
                element("time", { datetime: record.receivedAt, title: utcText(record.receivedAt) },
                    relativeTime(record.time)),
                element("span", { class: "under" }, exactClock(record.time))),
            element("span", { class: "row-vendor" },
                element("span", { class: "one-line" }, vendor),
                element("span", { class: "under one-line" }, about)),
            element("span", { class: "row-what" },
                element("span", { class: "one-line summary" }, record.summary || "nothing was decoded"),
                record.finding && element("span", { class: "under one-line finding",
                    "data-severity": record.finding.severity },
                    element("span", { "aria-hidden": "true" }, `${SIGNS[record.finding.severity] ?? "i"} `),
                    element("span", { class: "unseen" }, `${record.finding.severity}: `),
                    record.finding.text)),
            element("span", { class: "row-state" },
                isJudged(record) && badge(record.verdict, record),
                record.outcome && element("span", { class: "under", "data-outcome": record.outcome },
                    words(record.outcome))));
    }

    function refreshRow(row, record) {
        const time = row.querySelector("time");
        const text = relativeTime(record.time);
        if (time.textContent !== text) time.textContent = text;
    }

    return { makeRow, refreshRow };
}
