// JSON as it was written: numbers as they are spelled, members in their order and as often as they are there.
// Invariant: values are lists and plain objects, in which the last of equal members counts.
// Left out: showing values, see value-tree.js.

// Where strings begin, and numbers.
const TOKENS = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const COLON = /\s*:/y;

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
    let marked = "";
    let copied = 0;
    let count = 0;
    function insert(part, place) {
        marked += text.slice(copied, place) + part;
        copied = place;
    }
    TOKENS.lastIndex = 0;
    for (let match = TOKENS.exec(text); match; match = TOKENS.exec(text)) {
        const { 0: token, index } = match;
        if (token !== '"') {
            if (String(Number(token)) === token) continue;
            insert('"#', index);
            insert('"', TOKENS.lastIndex);
            continue;
        }
        COLON.lastIndex = TOKENS.lastIndex = endOfString(text, index);
        if (COLON.test(text)) insert(`${count++}:`, index + 1);
        else if (text[index + 1] === "#" || text[index + 1] === "\\") insert("##", index + 1);
    }
    insert("", text.length);
    return asWritten(JSON.parse(marked));
}

/** The index after the string that begins at `start`. A regular expression would overflow at millions of escapes. */
function endOfString(text, start) {
    let index = start + 1;
    while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
    return index + 1;
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
