// Reads and changes single terms of a query's text, so that the chips and the search box are one
// thing.
// Invariant: what this module doesn't understand stays as written. A term is changed only where
// everything found has to match it.
// Left out: whether a query is valid, which the server says.

const PLAIN = /^[^\s"()\\*]+$/;

/** The query that finds what matches both. */
export const both = (query, term) => (query ? `(${query}) ${term}` : term);

/** The pieces that spaces separate outside of quotes and parentheses. */
function piecesOf(query) {
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

/** Whether the text is this term, or one of this field: `name` is such as `has:kind`, or `vendor:`. */
const fits = (text, name) => (name.endsWith(":") ? text.startsWith(name) : text === name);

/** The piece of this name that everything found has to match: no OR is beside it, and no NOT before. */
function needed(query, name) {
    const pieces = piecesOf(query);
    return pieces.some(({ text }) => text === "OR") ? null
        : pieces.find(({ text }, index) => fits(text, name) && pieces[index - 1]?.text !== "NOT");
}

/** How often the query has the field or term, wherever that is: `has:(kind)` too. */
export function mentions(query, name) {
    const words = query.replace(/"(\\.|[^"\\])*"?/g, '""')
        .replace(/\bhas:\([^)]*/g, (names) => names.replace(/[\s(]+/g, "$&has:"))
        .split(/[\s()]+/).map((word) => word.replace(/^-+/, ""));
    return words.filter((word) => fits(word, name)).length;
}

/** The value of `field:value`, unquoted; "" where the query doesn't need such a term. */
export function termValue(query, field) {
    const piece = needed(query, `${field}:`);
    return piece ? unquoted(piece.text.slice(field.length + 1)) : "";
}

/** Whether the query needs this term, such as `has:kind`. */
export const hasTerm = (query, term) => Boolean(needed(query, term));

/**
 * Whether no single term stands for what the query says of these fields or terms: it has OR, NOT or parentheses, or
 * has them twice.
 */
export function saysMore(query, ...names) {
    const all = names.reduce((sum, name) => sum + mentions(query, name), 0);
    const single = names.some((name) => needed(query, name));
    return all > (single ? 1 : 0);
}

/** The term that finds this value of the field. */
export const termOf = (field, value) => `${field}:${isBare(field, value) ? value : quoted(value)}`;

/** The query with `field:value` in place of its term of this field; without one for "". */
export function withTerm(query, field, value) {
    const term = value ? termOf(field, value) : "";
    return replaced(query, needed(query, `${field}:`), term);
}

/** The query with this term, or without it. */
export function withWholeTerm(query, term, isWanted) {
    return replaced(query, needed(query, term), isWanted ? term : "");
}

function replaced(query, piece, term) {
    if (piece && term) return query.slice(0, piece.start) + term + query.slice(piece.end);
    if (piece) return tidy(without(query, piece));
    if (!term) return query;
    const hasOr = piecesOf(query).some(({ text }) => text === "OR");
    return tidy(hasOr ? `(${query}) ${term}` : `${query} ${term}`);
}

/** An AND beside the piece goes with it. */
function without(query, { start, end }) {
    const [before, after] = [query.slice(0, start), query.slice(end)];
    if (/(^|\s)AND\s+$/.test(before)) return before.replace(/AND\s+$/, "") + after.trimStart();
    return before + after.replace(/^\s+AND(?=\s)/, "").trimStart();
}

/** Whether the value can be a word of the query's language. Operators, ranges of time and groups stay as they are. */
function isBare(field, value) {
    const mayBeRange = field === "received_at" || !value.includes("..");
    return (PLAIN.test(value) && mayBeRange)
        || /^\(.*\)$/.test(value) || /^(>=?|<=?|=)?"/.test(value);
}

const quoted = (value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

function unquoted(text) {
    if (!/^".*"$/.test(text)) return text;
    return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

const tidy = (query) => query.trim();
