// Reads and changes single terms of a query's text, so that the chips and the search box are one
// thing.
// Invariant: what this module doesn't understand stays as it was written.
// Left out: whether a query is valid, which the server says.

const PLAIN = /^[^\s"()\\*]+$/;

/** The pieces of a query that spaces separate outside of quotes and parentheses. */
export function piecesOf(query) {
    const pieces = [];
    let start = null;
    let depth = 0;
    let isQuoted = false;
    for (let index = 0; index <= query.length; index++) {
        const character = query[index];
        const ends = character === undefined || (!isQuoted && depth === 0 && /\s/.test(character));
        if (ends) {
            if (start !== null) pieces.push({ start, end: index, text: query.slice(start, index) });
            start = null;
            continue;
        }
        start ??= index;
        if (character === "\\" && isQuoted) index += 1;
        else if (character === '"') isQuoted = !isQuoted;
        else if (!isQuoted && character === "(") depth += 1;
        else if (!isQuoted && character === ")") depth = Math.max(0, depth - 1);
    }
    return pieces;
}

const isTermOf = (field) => (piece) => piece.text.startsWith(`${field}:`);

/** The value of `field:value`, unquoted; "" where the query has no such term at its top. */
export function termValue(query, field) {
    const piece = piecesOf(query).find(isTermOf(field));
    return piece ? unquoted(piece.text.slice(field.length + 1)) : "";
}

/** The query with `field:value` in place of its term of this field; without one for "". */
export function withTerm(query, field, value) {
    const pieces = piecesOf(query);
    const term = value ? `${field}:${quoted(value)}` : "";
    const former = pieces.find(isTermOf(field));
    if (former) {
        return tidy(query.slice(0, former.start) + term + query.slice(former.end));
    }
    if (!term) return query;
    const hasOr = pieces.some((piece) => piece.text === "OR");
    return tidy(hasOr ? `(${query}) ${term}` : `${query} ${term}`);
}

/**
 * A word of the query's language where it can be one: operators, ranges and groups stay as they
 * are.
 */
function quoted(value) {
    if (PLAIN.test(value) || /^\(.*\)$/.test(value) || /^(>=?|<=?|=)?"/.test(value)) return value;
    return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function unquoted(text) {
    if (!/^".*"$/.test(text)) return text;
    return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

const tidy = (query) => query.trim();
