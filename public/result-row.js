// The row of a result: when, whose, what happened in one line, and how it was decoded.
// Invariant: one link with all of it, so that a row is read, copied and opened as one thing.
// Left out: placing rows, see rows.js.

import { titleOf } from "./api.js";
import { badge, element, exactClock, relativeTime, shorten, utcText, visible, words } from "./elements.js";
import { isJudged } from "./records.js";

const INBOX_LENGTH = 64;
const SIGNS = { error: "✗", warning: "!", info: "i" };

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
