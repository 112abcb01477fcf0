// A table of records, newest first: one row a record.
// Invariant: a row stays as long as what it shows, so refreshing neither flickers nor moves focus,
// selection or what the reader sees. Every row holds one real link, `#<id>`.
// Left out: what a row shows, fetching, and opening the detail; the page reacts to the address.

import { element } from "./elements.js";

/** `makeRow` makes the row of a record; it must have `data-id` and one link. */
export function createTable(table, makeRow, onOpen) {
    const body = table.tBodies[0];
    const rows = new Map();
    let openId = "";

    function show(records, { highlightNew = false } = {}) {
        keepInPlace(firstRowInView(), () => {
            removeRowsExcept(new Set(records.map((record) => record.id)));
            // Older ones that came in at the end, as others went away, aren't new.
            const last = records.findLastIndex(({ id }) => rows.has(id));
            records.forEach((record, index) => {
                const row = rowOf(record, highlightNew && (index <= last || last < 0));
                if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
            });
            table.hidden = records.length === 0;
        });
        mark(openId);
    }

    function rowOf(record, isNew) {
        const former = rows.get(record.id);
        const row = former?.record === record ? former.row : makeRow(record);
        if (former && hasSameCells(former.row, row)) {
            former.record = record;
            return former.row;
        }
        row.classList.toggle("fresh", isNew);
        rows.set(record.id, { row, record });
        if (former) replaceRow(former.row, row);
        return row;
    }

    function removeRowsExcept(ids) {
        const focusedIndex = document.activeElement?.closest("tr")?.sectionRowIndex ?? -1;
        for (const [id, { row }] of rows) {
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
        rows.get(openId)?.row.removeAttribute("aria-current");
        openId = id;
        rows.get(id)?.row.setAttribute("aria-current", "true");
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
        /** Scrolls no further than needed to have this record's row on screen. */
        reveal: (id) => rows.get(id)?.row.scrollIntoView({ block: "nearest" }),
        /** Makes a change of layout, and leaves this record's row where it was on screen. */
        holdStill: (id, change) => keepInPlace(rows.get(id)?.row, change),
    };
}

function keepInPlace(row, change) {
    const before = row?.getBoundingClientRect().top;
    change();
    if (row?.isConnected) scrollBy(0, row.getBoundingClientRect().top - before);
}

export function isPlainClick(event) {
    return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
}

function hasSelectionIn(row) {
    const selection = getSelection();
    return !selection.isCollapsed && row.contains(selection.anchorNode);
}

function hasSameCells(row, other) {
    return [...row.cells].every((cell, index) => cell.isEqualNode(other.cells[index]));
}

function replaceRow(former, row) {
    const hadFocus = former.contains(document.activeElement);
    former.replaceWith(row);
    if (hadFocus) row.querySelector("a").focus({ preventScroll: true });
}

export function cell(name, ...children) {
    return element("td", { role: "cell", class: `col-${name}` }, children);
}
