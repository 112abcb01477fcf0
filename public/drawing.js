// Pictures of values, one module for each vendor that has one, and the SVG nodes that they are made of.
// Invariant: drawings repeat what the text beside them says, so they are hidden from screen
// readers; attributes are numbers and names of classes, never text of peers.

import { element, shorten, visible } from "./elements.js";
import { isBranch, prettyJSON } from "./written-json.js";

const SVG = "http://www.w3.org/2000/svg";
const TEXT_LENGTH = 80;
const CARDS = new Set(["ailet", "dimmy", "rezolve", "welltory", "x-callback-url"]);

/**
 * Makes the card of a record or of a decoded message; null if its vendor has none, or if making it fails.
 */
export async function cardOf(record) {
    if (!CARDS.has(record.vendor) || record.result === null || typeof record.result !== "object") return null;
    try {
        const { card } = await import(`./card-${record.vendor}.js`);
        return await card(record);
    } catch (error) {
        reportError(error);
        return null;
    }
}

export function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    node.append(...children);
    return node;
}

export const drawing = (name, width, height, ...children) =>
    svg("svg", { class: name, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" }, ...children);

/** A bar of a percentage, with a mark at `plan` where there is one. */
export function bar(value, plan) {
    const width = Math.max(0, Math.min(100, numberOf(value)));
    const mark = numberOf(plan);
    const node = drawing("bar", 100, 6,
        svg("rect", { class: "bar-ground", width: 100, height: 6 }),
        svg("rect", { class: "bar-value", width, height: 6 }),
        ...(mark === null ? [] : [svg("rect", { class: "bar-plan", x: Math.min(99, mark), width: 1, height: 6 })]));
    node.setAttribute("preserveAspectRatio", "none");
    return node;
}

/** A finite number, also of a whole text; null for everything else. */
export function numberOf(value) {
    const number = !isBranch(value) && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : NaN;
    return Number.isFinite(number) ? number : null;
}

/** A number as `write` writes it, another scalar as it came; null for everything else. */
export function figureOf(value, write = shortNumber) {
    const number = numberOf(value);
    return number !== null ? write(number) : isBranch(value) ? null : shortText(value ?? "") || null;
}

/** A value as text: a number as it was written, an object or a list as JSON. */
export const textOf = (value) => (isBranch(value) ? prettyJSON(value) : String(value));

export const shortText = (value) => shorten(visible(textOf(value)), TEXT_LENGTH);

/** Says how many of `count` are not among the `shown` ones of a card; null where all are. */
export const leftOut = (count, shown, tag = "p") => (count <= shown ? null
    : element(tag, { class: "soft" }, `and ${count - shown} more, in the decoded value below`));

/** Rounded to `digits` after the point, or to as many significant ones where that gave 0. */
export const shortNumber = (number, digits = 2) =>
    String(Number(number.toFixed(digits)) || Number(number.toPrecision(digits)));
