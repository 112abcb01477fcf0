// JSON as it was written: numbers as they are spelled, members in their order and as often as they are there.
// Invariant: values are lists and plain objects, in which the last of equal members counts.
// Left out: showing values, see value-tree.js.

// With the colon after the name of a member.
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

const written = new WeakMap();   // the entries of an object

/** A number whose text would change if JavaScript printed it, such as 1.50 or a 20-digit integer. */
export class NumberAsWritten {
    constructor(text) {
        this.text = text;
    }

    toString() {
        return this.text;
    }
}

export const isBranch = (value) => value !== null && typeof value === "object" && !(value instanceof NumberAsWritten);

/** Throws a SyntaxError for what is no JSON. */
export function parseAsWritten(text) {
    // Objects have names like 10 first, and one of equal names: while they are parsed, each name begins with its number.
    let count = 0;
    const numbered = text.replace(STRINGS, (string, colon) => (colon ? `"${count++}:${string.slice(1)}` : string));
    return JSON.parse(numbered, revive);
}

// `context.source` is the number's own text; browsers without it show JavaScript's spelling.
function revive(_name, value, context) {
    if (typeof value === "number" && context?.source && String(value) !== context.source) {
        return new NumberAsWritten(context.source);
    }
    if (!isBranch(value) || Array.isArray(value)) return value;
    const entries = Object.entries(value).map(([name, item]) => [name.slice(name.indexOf(":") + 1), item]);
    const object = Object.fromEntries(entries);
    written.set(object, entries);
    return object;
}

/** Pairs of name and value, of a list with its indices. */
export const entriesOf = (branch) => written.get(branch) ?? Object.entries(branch);

/** The value as indented JSON. */
export function prettyJSON(value, indent = "") {
    if (!isBranch(value)) return value instanceof NumberAsWritten ? value.text : JSON.stringify(value);
    const inner = `${indent}  `;
    const isArray = Array.isArray(value);
    const lines = entriesOf(value).map(([key, item]) =>
        inner + (isArray ? "" : `${JSON.stringify(key)}: `) + prettyJSON(item, inner));
    const [open, close] = isArray ? "[]" : "{}";
    return lines.length === 0 ? open + close : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
