// Reads and changes single terms of a query's text, so that the chips and the search box are one
// thing.
// Invariant: what this module doesn't understand stays as it was written. A term is changed only where
// everything that the query finds has to match it.
// Left out: whether a query is valid, which the server says.

const PLAIN = /^[^\s"()\\*]+$/;

/** The query that finds what matches both. */
export const both = (query, term) => (query ? `(${query}) ${term}` : term);

/** The pieces of a query that spaces separate outside of quotes and parentheses. */
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

const startsTerm = (text, field) => text.startsWith(`${field}:`);

/** The pieces that everything found has to match: no OR is beside them, and no NOT before. */
function neededPieces(query) {
    const pieces = piecesOf(query);
    if (pieces.some(({ text }) => text === "OR")) return [];
    return pieces.filter((_, index) => pieces[index - 1]?.text !== "NOT");
}

const needed = (query, matches) => neededPieces(query).find(({ text }) => matches(text));

/** How often the query names the field, or has the term, wherever that is. */
export function mentions(query, text) {
    const isField = text.endsWith(":");
    const words = query.replace(/"(\\.|[^"\\])*"?/g, '""').split(/[\s()]+/)
        .map((word) => word.replace(/^-+/, ""));
    return words.filter((word) => (isField ? word.startsWith(text) : word === text)).length;
}

/** The value of `field:value`, unquoted; "" where the query doesn't need such a term. */
export function termValue(query, field) {
    const piece = needed(query, (text) => startsTerm(text, field));
    return piece ? unquoted(piece.text.slice(field.length + 1)) : "";
}

/** Whether the query needs this term, such as `has:kind`. */
export const hasTerm = (query, term) => Boolean(needed(query, (text) => text === term));

/**
 * Whether the query says something of these fields or terms that no single term of it stands for: with OR or NOT, in
 * parentheses, or twice. `names` are such as `vendor:` and `has:kind`.
 */
export function saysMore(query, ...names) {
    const all = names.reduce((sum, name) => sum + mentions(query, name), 0);
    const single = names.some((name) => needed(query, (text) =>
        (name.endsWith(":") ? text.startsWith(name) : text === name)));
    return all > (single ? 1 : 0);
}

/** The term that finds this value of the field. */
export const termOf = (field, value) => `${field}:${isBare(field, value) ? value : quoted(value)}`;

/** The query with `field:value` in place of its term of this field; without one for "". */
export function withTerm(query, field, value) {
    const term = value ? termOf(field, value) : "";
    return replaced(query, needed(query, (text) => startsTerm(text, field)), term);
}

/** The query with this term, or without it. */
export function withWholeTerm(query, term, isWanted) {
    return replaced(query, needed(query, (text) => text === term), isWanted ? term : "");
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
