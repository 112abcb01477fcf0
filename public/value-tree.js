// A decoded value as a tree that opens on demand.
// Invariant: a branch's children are built when it is first opened, and at most CHUNK at a time, so
// a 100 kB report costs no more than what is on screen. All text is a text node.
// Left out: editing and searching.

import { button, element, visible, wireText } from "./elements.js";
import { entriesOf, isBranch } from "./written-json.js";

const CHUNK = 100;
const OPEN_DEPTH = 2;
const OPEN_CHILDREN = 24;

export function valueTree(value) {
    if (!isBranch(value)) return element("p", { class: "tree" }, leaf(value));
    return branchList(value, 1);
}

function branchList(value, depth) {
    const list = element("ul", { class: "tree" });
    const entries = entriesOf(value);
    const isArray = Array.isArray(value);
    let next = 0;

    function addChunk() {
        const chunk = entries.slice(next, next + CHUNK);
        const items = chunk.map(([key, item]) => treeItem(key, item, isArray, depth));
        next += chunk.length;
        list.append(...items);
        if (next < entries.length) list.append(moreItem(entries.length - next, addChunk));
        return items[0];
    }

    addChunk();
    return list;
}

function moreItem(left, addChunk) {
    const item = element("li");
    item.append(button(`Show ${Math.min(CHUNK, left)} more of ${left}`, () => {
        item.remove();
        const first = addChunk();
        first.tabIndex = -1;
        first.focus({ preventScroll: true });
    }));
    return item;
}

function treeItem(key, value, isIndex, depth) {
    const name = element("span", { class: isIndex ? "index" : "key" }, visible(key));
    if (!isBranch(value)) return element("li", {}, name, " ", leaf(value));
    const size = entriesOf(value).length;
    const unit = Array.isArray(value) ? "item" : "key";
    const note = element("span", { class: "soft" }, `${size} ${unit}${size === 1 ? "" : "s"}`);
    if (size === 0) return element("li", {}, name, " ", note);
    return element("li", {}, branch(element("summary", {}, name, " ", note), value, depth));
}

function branch(summary, value, depth) {
    const details = element("details", {}, summary);
    const fill = () => {
        if (details.children.length === 1) details.append(branchList(value, depth + 1));
    };
    if (depth < OPEN_DEPTH && entriesOf(value).length <= OPEN_CHILDREN) {
        fill();
        details.open = true;
    }
    details.addEventListener("toggle", fill);
    return details;
}

function leaf(value) {
    if (typeof value === "string") {
        const text = wireText(value);
        text.classList.add("string");
        return element("span", {}, element("span", { class: "soft", "aria-hidden": "true" }, "“"), text,
            element("span", { class: "soft", "aria-hidden": "true" }, "”"));
    }
    return element("span", { class: value === null ? "null" : "scalar" }, String(value));
}
