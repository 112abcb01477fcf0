// What the list keeps of a record: enough for its row, and little, as there may be 100,000 of them.
// Left out: everything that only the record's own view shows.

import { shorten, visible } from "./elements.js";

const SUMMARY_LENGTH = 240;

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
