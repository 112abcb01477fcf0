// The row of a result in the table, and one line that says what it is.
// Left out: how rows come and go, see table.js.

import { badge, element, localTime, shorten, words } from "./elements.js";
import { cell } from "./table.js";

const SUMMARY_LENGTH = 180;
const VALUE_LENGTH = 48;
const SUMMARY_KEYS = 8;

export function resultRow(record) {
    const link = element("a", { href: `#${record.id}` }, localTime(record.received_at));
    const kind = record.kind === "callback" ? null : record.kind;
    const contract = record.contract !== record.vendor ? record.contract : null;
    const about = [kind, contract].filter(Boolean).join(" · ");
    return element("tr", { role: "row", "data-id": record.id },
        element("th", { role: "rowheader", scope: "row", class: "col-time" }, link),
        cell("vendor", record.vendor ?? "–", " ",
            about && element("span", { class: "contract" }, about)),
        cell("inbox", element("span", { class: "inbox", title: record.inbox }, record.inbox)),
        cell("outcome", record.outcome
            ? element("span", { "data-outcome": record.outcome }, words(record.outcome)) : "–"),
        cell("verdict", badge(record.verdict)),
        cell("summary", element("span", { class: "summary wire" }, summaryOf(record))));
}

// ---- One line for one record -----------------------------------------------------------------

/** What was decoded; else why it could not be; else what was asked for. */
export function summaryOf(record) {
    const finding = record.diagnostics?.find((diagnostic) => diagnostic.severity === "error");
    if (record.verdict === "undecodable" && finding) return findingLine(finding);
    const value = summaryOfValue(record.result);
    if (value) return value;
    return shorten(`${record.request.method} ${record.request.target}`, SUMMARY_LENGTH);
}

function findingLine({ pointer, part, code, expected, found, hint }) {
    const what = expected && found ? `expected ${expected}, found ${found}` : hint ?? words(code);
    return shorten(`${pointer || part || "request"}: ${what}`, SUMMARY_LENGTH);
}

function summaryOfValue(value) {
    if (value === null || value === undefined) return "";
    if (typeof value !== "object") return shorten(String(value), SUMMARY_LENGTH);
    const entries = Object.entries(value);
    const plain = entries.filter(([, item]) => item === null || typeof item !== "object");
    const nested = entries.filter(([, item]) => item !== null && typeof item === "object");
    const parts = [...plain, ...nested].slice(0, SUMMARY_KEYS)
        .map(([key, item]) => `${shorten(key, VALUE_LENGTH)} ${shortValue(item)}`);
    if (entries.length > SUMMARY_KEYS) parts.push("…");
    return shorten(parts.join(" · "), SUMMARY_LENGTH);
}

function shortValue(value) {
    if (Array.isArray(value)) return `[${value.length}]`;
    if (value !== null && typeof value === "object") return `{${Object.keys(value).length}}`;
    return shorten(String(value), VALUE_LENGTH);
}
