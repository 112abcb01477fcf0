// Pictures of values, one module for each vendor that has one, and the SVG nodes that they are made of.
// Invariant: drawings repeat what the text beside them says, so they are hidden from screen
// readers; attributes are numbers and names of classes, never text of peers.

import { NumberAsWritten, isBranch, prettyJSON } from "./written-json.js";

const SVG = "http://www.w3.org/2000/svg";
const CARDS = new Set(["ailet", "dimmy", "rezolve", "welltory", "x-callback-url"]);

/**
 * Makes the card of a record or of a decoded message. Null if its vendor has no card, or if making it fails: a card
 * only repeats what the page shows below it.
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

/** A bar of `share` (0 to 1), with a mark at `plan` where there is one. */
export function bar(share, plan = null) {
    const width = Math.max(0, Math.min(1, share)) * 100;
    const node = drawing("bar", 100, 6,
        svg("rect", { class: "bar-ground", width: 100, height: 6 }),
        svg("rect", { class: "bar-value", width, height: 6 }),
        ...(plan === null ? [] : [svg("rect", { class: "bar-plan", x: Math.min(99, plan * 100), width: 1, height: 6 })]));
    node.setAttribute("preserveAspectRatio", "none");
    return node;
}

/** A finite number, also of one kept as it was written; null for everything else. */
export function numberOf(value) {
    const isText = typeof value === "string" || value instanceof NumberAsWritten;
    const number = isText ? Number.parseFloat(value) : value;
    return Number.isFinite(number) ? number : null;
}

/** A value as text: a number as it was written, an object or a list as JSON. */
export const textOf = (value) => (isBranch(value) ? prettyJSON(value) : String(value));

/** At most `digits` after the point, without zeros at the end. */
export const shortNumber = (number, digits = 2) => String(Number(number.toFixed(digits)));
