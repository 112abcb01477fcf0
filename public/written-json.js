// JSON as it was written: numbers as they are spelled, members in their order and as often as they are there.
// Invariant: values are lists and plain objects, in which the last of equal members counts.
// Left out: showing values, see value-tree.js.

// Strings, with the colon after the name of a member, and numbers.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

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

/**
 * Throws a SyntaxError for what is no JSON.
 *
 * Objects of JavaScript have names like 10 first, and one of equal names: while they are parsed, each name begins with
 * its number. A number whose text would change is a string that begins with #, and strings that may begin so have ##.
 */
export function parseAsWritten(text) {
    let count = 0;
    return asWritten(JSON.parse(text.replace(TOKENS, (token, colon) => {
        if (colon) return `"${count++}:${token.slice(1)}`;
        if (token[0] === '"') return token[1] === "#" || token[1] === "\\" ? `"##${token.slice(1)}` : token;
        return String(Number(token)) === token ? token : `"#${token}"`;
    })));
}

function asWritten(value) {
    if (typeof value === "string" && value[0] === "#") {
        return value[1] === "#" ? value.slice(2) : new NumberAsWritten(value.slice(1));
    }
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(asWritten);
    const entries = Object.entries(value).map(([name, item]) => [name.slice(name.indexOf(":") + 1), asWritten(item)]);
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
