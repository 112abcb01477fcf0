// The lines of a file with their numbers, and what there is to say of some of them at its place.
// Invariant: text is shown as it is written; at most SHOWN_LINES lines are, and those with a note.

import { element, shorten, visible } from "./elements.js";

const SHOWN_LINES = 3_000;
const LINE_LENGTH = 500;

/** `notes` are `{ line, text, state }`: state is error, warning, info, deciding or passed. */
export function fileLines(content, notes, label) {
    const byLine = Map.groupBy(notes, ({ line }) => line);
    const lines = content.split("\n").map((text, index) => ({ text, line: index + 1 }));
    const shown = lines.filter(({ line }) => line <= SHOWN_LINES || byLine.has(line));
    const items = shown.map(({ text, line }) => {
        const told = byLine.get(line) ?? [];
        return element("li", { "data-state": told[0]?.state, value: line },
            element("code", {}, shorten(visible(text), LINE_LENGTH) || " "),
            told.map((note) => element("span", { class: "line-note", "data-state": note.state },
                element("span", { "aria-hidden": "true" }, `${signOf(note.state)} `), note.text)));
    });
    const left = lines.length - shown.length;
    return element("div", { class: "file", role: "region", tabindex: "0", "aria-label": label },
        element("ol", { class: "file-lines" }, items),
        left > 0 && element("p", { class: "soft" }, `${left} more lines are not shown.`));
}

const signOf = (state) => ({ error: "✗", warning: "!", info: "i", deciding: "➔", passed: "–" })[state] ?? "";
