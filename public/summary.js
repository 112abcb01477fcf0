// One line that says what a record is, for records that come without the server's own.
// Left out: the vendors' summaries, which the server makes.

import { shorten, visible } from "./elements.js";

const SUMMARY_LENGTH = 180;
const VALUE_LENGTH = 48;
const SUMMARY_KEYS = 8;

/** What was decoded; else what was asked for. */
export function summaryOf(record) {
    const value = summaryOfValue(record.result);
    return value || shorten(visible(`${record.request?.method ?? ""} ${record.request?.target ?? ""}`), SUMMARY_LENGTH);
}

function summaryOfValue(value) {
    if (value === null || value === undefined) return "";
    if (typeof value !== "object") return shorten(visible(String(value)), SUMMARY_LENGTH);
    const isPlain = (item) => item === null || typeof item !== "object";
    const entries = Object.entries(value).filter(([, item]) => isPlain(item) || Object.keys(item).length > 0);
    const plain = entries.filter(([, item]) => isPlain(item));
    const nested = entries.filter(([, item]) => !isPlain(item));
    const parts = [...plain, ...nested].slice(0, SUMMARY_KEYS)
        .map(([key, item]) => `${shorten(key, VALUE_LENGTH)} ${shortValue(item)}`);
    if (entries.length > SUMMARY_KEYS) parts.push("…");
    return shorten(visible(parts.join(" · ")), SUMMARY_LENGTH);
}

function shortValue(value) {
    if (Array.isArray(value)) return `[${value.length}]`;
    if (value !== null && typeof value === "object") return `{${Object.keys(value).length}}`;
    return shorten(String(value), VALUE_LENGTH);
}
