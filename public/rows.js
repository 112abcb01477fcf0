// The list of results on screen: only the rows in view are in the document, and for paper those that are loaded.
// Invariant: rows have the height that the style sheet names, so where a row is follows from its
// index; a row that has the focus stays. Rows are `li[data-id]` with one link; days are headings
// between them.
// Left out: which records there are, see feed.js; what a row says, see records.js.

import { dayName, element } from "./elements.js";

const OVERSCAN_PIXELS = 400;
const PRINTED_ROWS = 2_000;

/**
 * `source` has count() and at(index). `makeRow(record)` makes the content of a row,
 * `refreshRow(row, record)` updates what depends on time.
 */
export function createRows(list, source, { makeRow, refreshRow }) {
    const rows = new Map();
    const headings = new Map();  // by the index of the first record below
    let days = [];               // { day, time, start, top } of each day's first record
    let rowHeight = 1;
    let dayHeight = 1;
    let markedId = "";
    let isPrinted = false;

    function measure() {
        const style = getComputedStyle(list);
        const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
        rowHeight = Number.parseFloat(style.getPropertyValue("--row-height")) * rem;
        dayHeight = Number.parseFloat(style.getPropertyValue("--day-height")) * rem;
    }

    function findDays() {
        days = [];
        const count = source.count();
        let day = null;
        for (let index = 0; index < count; index++) {
            const record = source.at(index);
            if (record.day === day) continue;
            day = record.day;
            days.push({ day, time: record.time, start: index,
                top: index * rowHeight + days.length * dayHeight });
        }
        list.style.height = `${count * rowHeight + days.length * dayHeight}px`;
    }

    function dayOf(index) {
        let found = 0;
        while (found + 1 < days.length && days[found + 1].start <= index) found += 1;
        return found;
    }

    const topOf = (index) => (days.length === 0 ? 0 : index * rowHeight + (dayOf(index) + 1) * dayHeight);

    function indexAt(y) {
        let found = 0;
        while (found + 1 < days.length && days[found + 1].top <= y) found += 1;
        const day = days[found];
        if (!day) return 0;
        return Math.max(day.start, day.start + Math.floor((y - day.top - dayHeight) / rowHeight));
    }

    /** The records changed: rows get new places. */
    function show() {
        findDays();
        render();
    }

    function render() {
        const count = source.count();
        const offset = list.getBoundingClientRect().top;
        const first = isPrinted ? 0 : Math.max(0, Math.min(count - 1, indexAt(-offset - OVERSCAN_PIXELS)));
        const last = Math.min(count, isPrinted ? PRINTED_ROWS : indexAt(innerHeight - offset + OVERSCAN_PIXELS) + 1) - 1;
        const wanted = new Map();
        for (let index = first; index <= last; index++) wanted.set(source.at(index).id, index);
        const lostFocus = removeRows(wanted);
        let before = list.firstElementChild;
        for (const [id, index] of wanted) {
            before = placeDay(index, index === first, before);
            const row = rowOf(source.at(index), index, count);
            before = put(row, before);
            row.style.top = `${topOf(index)}px`;
        }
        if (lostFocus >= 0) focusRow(Math.min(lostFocus, count - 1));
    }

    /** Takes away rows out of view; the index of one that had the focus and whose record is gone, else -1. */
    function removeRows(wanted) {
        const focused = document.activeElement?.closest("[data-id]");
        let place = -1;
        for (const [id, entry] of rows) {
            if (wanted.has(id)) continue;
            if (entry.row === focused && source.indexOf(id) >= 0) {
                entry.row.style.top = `${topOf(source.indexOf(id))}px`;
                continue;
            }
            if (entry.row === focused) place = Number(entry.row.ariaPosInSet) - 1;
            entry.row.remove();
            rows.delete(id);
        }
        for (const [start, heading] of headings) {
            if (days.some((entry) => entry.start === start)) continue;
            heading.remove();
            headings.delete(start);
        }
        return place;
    }

    // Nodes come in the order of the list, for the Tab key and for screen readers.
    function put(node, before) {
        if (node === before) return before.nextElementSibling;
        list.insertBefore(node, before);
        return before;
    }

    function placeDay(index, isFirst, before) {
        const entry = days[dayOf(index)];
        if (entry.start !== index && !isFirst) return before;
        let heading = headings.get(entry.start);
        if (!heading) {
            heading = element("li", { class: "day" }, element("h2"));
            headings.set(entry.start, heading);
        }
        nameDay(heading, entry.time);
        heading.style.top = `${entry.top}px`;
        return put(heading, before);
    }

    function nameDay(heading, time) {
        const name = heading.firstElementChild;
        if (name.textContent !== dayName(time)) name.textContent = dayName(time);
    }

    function rowOf(record, index, count) {
        let entry = rows.get(record.id);
        if (entry?.record !== record || entry.seq !== record.seq) {
            const row = entry?.row ?? element("li", { class: "row", "data-id": record.id });
            const hadFocus = row.contains(document.activeElement);
            row.replaceChildren(makeRow(record));
            if (hadFocus) row.firstElementChild.focus({ preventScroll: true });
            entry = { row, record, seq: record.seq };
            rows.set(record.id, entry);
            if (record.id === markedId) mark(markedId);
        }
        entry.row.setAttribute("aria-posinset", String(index + 1));
        entry.row.setAttribute("aria-setsize", source.hasOlder() ? "-1" : String(count));
        return entry.row;
    }

    function mark(id) {
        list.querySelector("a[aria-current]")?.removeAttribute("aria-current");
        markedId = id;
        rows.get(id)?.row.querySelector("a").setAttribute("aria-current", "true");
    }

    function scrollTo(index) {
        const top = list.getBoundingClientRect().top + topOf(index);
        const head = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
        if (top < head + dayHeight) scrollBy({ top: top - head - dayHeight, behavior: "instant" });
        else if (top + rowHeight > innerHeight) scrollBy({ top: top + rowHeight - innerHeight, behavior: "instant" });
        render();
    }

    function focusRow(index) {
        const record = source.at(index);
        if (!record) return;
        scrollTo(index);
        rows.get(record.id)?.row.querySelector("a").focus({ preventScroll: true });
    }

    list.addEventListener("keydown", (event) => {
        const id = event.target.closest("[data-id]")?.dataset.id;
        if (!id || event.altKey || event.ctrlKey || event.metaKey) return;
        const index = source.indexOf(id);
        const last = source.count() - 1;
        const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 2);
        const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last,
            PageDown: index + page, PageUp: index - page }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        focusRow(Math.max(0, Math.min(target, last)));
    });

    /** Makes a change of layout, and leaves this record's row where it was on screen. */
    function holdStill(id, change) {
        const index = source.indexOf(id);
        const before = list.getBoundingClientRect().top + topOf(index);
        change();
        measure();
        findDays();
        const wasInView = before > -rowHeight && before < innerHeight;
        if (index >= 0 && wasInView) {
            scrollBy({ top: list.getBoundingClientRect().top + topOf(index) - before, behavior: "instant" });
        }
        render();
    }

    for (const name of ["beforeprint", "afterprint"]) {
        addEventListener(name, () => {
            isPrinted = name === "beforeprint";
            render();
            const isWhole = rows.size === source.count() && !source.hasOlder();
            list.dataset.printed = isWhole ? "" : `Printed here: the newest ${rows.size.toLocaleString()}`;
        });
    }
    measure();
    addEventListener("scroll", render, { passive: true });
    addEventListener("resize", () => holdStill("", () => {}));
    return {
        show,
        mark,
        focusRow,
        holdStill,
        /** Scrolls no further than needed to have this record's row on screen. */
        reveal(id) {
            if (source.indexOf(id) >= 0) scrollTo(source.indexOf(id));
        },
        indexInView: () => indexAt(-list.getBoundingClientRect().top),
        /** Updates what rows and headings say about the time. */
        tick() {
            for (const { row, record } of rows.values()) refreshRow(row, record);
            for (const { start, time } of days) {
                if (headings.has(start)) nameDay(headings.get(start), time);
            }
        },
    };
}
