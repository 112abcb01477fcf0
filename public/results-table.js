// The table of results: one row a record, newest first.
// Invariant: a record's row is built once and kept, so refreshing neither flickers nor moves focus,
// selection or what the reader sees. Every row holds one real link, `#<id>`.
// Left out: fetching, and opening the detail; the page reacts to the address.

import { badge, element, localTime, shorten, words } from "./elements.js";

const SUMMARY_LENGTH = 180;
const VALUE_LENGTH = 48;
const SUMMARY_KEYS = 8;

export function createResultsTable(table, onOpen) {
    const body = table.tBodies[0];
    const rows = new Map();
    let openId = "";

    function show(records, { highlightNew = false } = {}) {
        keepInPlace(firstRowInView(), () => {
            removeRowsExcept(new Set(records.map((record) => record.id)));
            records.forEach((record, index) => {
                if (!rows.has(record.id)) rows.set(record.id, makeRow(record, highlightNew));
                const row = rows.get(record.id);
                if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
            });
            table.hidden = records.length === 0;
        });
        mark(openId);
    }

    function removeRowsExcept(ids) {
        const focusedIndex = document.activeElement?.closest("tr")?.sectionRowIndex ?? -1;
        for (const [id, row] of rows) {
            if (ids.has(id)) continue;
            const hadFocus = row.contains(document.activeElement);
            row.remove();
            rows.delete(id);
            if (hadFocus) focusRow(Math.min(focusedIndex, body.rows.length - 1));
        }
    }

    // At the very top the reader wants to see what arrives; further down, nothing may move.
    function firstRowInView() {
        if (scrollY === 0) return null;
        return [...body.rows].find((row) => row.getBoundingClientRect().bottom > 0) ?? null;
    }

    function focusRow(index) {
        body.rows[index]?.querySelector("a").focus();
    }

    function mark(id) {
        rows.get(openId)?.removeAttribute("aria-current");
        openId = id;
        rows.get(id)?.setAttribute("aria-current", "true");
    }

    body.addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        if (!row || !isPlainClick(event) || hasSelectionIn(row)) return;
        event.preventDefault();
        onOpen(row.dataset.id);
    });

    body.addEventListener("keydown", (event) => {
        const index = event.target.closest("tr")?.sectionRowIndex;
        const last = body.rows.length - 1;
        const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last }[event.key];
        if (index === undefined || target === undefined || event.altKey || event.ctrlKey) return;
        event.preventDefault();
        focusRow(Math.max(0, Math.min(target, last)));
    });

    return {
        show,
        mark,
        focusRow,
        /** Makes a change of layout, and leaves this record's row where it was on screen. */
        holdStill: (id, change) => keepInPlace(rows.get(id), change),
        focus(id) {
            const row = rows.get(id);
            row?.querySelector("a").focus();
            return row !== undefined;
        },
    };
}

function keepInPlace(row, change) {
    const before = row?.getBoundingClientRect().top;
    change();
    if (row?.isConnected) scrollBy(0, row.getBoundingClientRect().top - before);
}

function isPlainClick(event) {
    return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
}

function hasSelectionIn(row) {
    const selection = getSelection();
    return !selection.isCollapsed && row.contains(selection.anchorNode);
}

function makeRow(record, isNew) {
    const link = element("a", { href: `#${record.id}` }, localTime(record.received_at));
    const contract = record.contract && record.contract !== record.vendor
        ? element("span", { class: "contract" }, record.contract) : null;
    return element("tr", { role: "row", "data-id": record.id, class: isNew && "fresh" },
        element("th", { role: "rowheader", scope: "row", class: "col-time" }, link),
        cell("vendor", record.vendor ?? "–", " ", contract),
        cell("inbox", element("span", { class: "inbox", title: record.inbox }, record.inbox)),
        cell("outcome", record.outcome
            ? element("span", { "data-outcome": record.outcome }, words(record.outcome)) : "–"),
        cell("verdict", badge(record.verdict)),
        cell("summary", element("span", { class: "summary wire" }, summaryOf(record))));
}

function cell(name, ...children) {
    return element("td", { role: "cell", class: `col-${name}` }, children);
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
