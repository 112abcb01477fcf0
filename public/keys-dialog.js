// The dialog that lists the keys of a page, and turns single keys off.

import { button, element } from "./elements.js";
import { OFF } from "./keys.js";
import { remember } from "./storage.js";

const ROW_MOVES = [["↑ ↓", "From row to row"], ["Enter", "Open the row"]];

/** Opens it; `keys` as in keys.js. */
export function showKeys(keys, isOn) {
    const hasRows = document.querySelector("#rows, #flows") !== null;
    const rows = [...(hasRows ? ROW_MOVES : []), ["Tab", "To the next control"],
        ...Object.entries(keys).map(([key, [label]]) => [key, label]),
        ["?", "This list"]];
    const box = element("input", { type: "checkbox", checked: isOn });
    box.addEventListener("change", () => remember(OFF, box.checked ? "no" : "yes"));
    const dialog = element("dialog", { class: "keys", "aria-labelledby": "keys-title" },
        element("h2", { id: "keys-title" }, "Keys"),
        element("dl", {}, rows.map(([key, label]) =>
            element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, label)))),
        element("p", {}, element("label", {}, box, " Single keys do something")),
        element("p", { class: "actions" }, button("Close", () => dialog.close(), { autofocus: true })));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}
