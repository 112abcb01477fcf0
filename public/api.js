// Talks to the query API and turns every failure into one of two errors.
// Invariant: a call returns parsed JSON, or throws Problem (the server answered and said why) or
// ConnectionLost (no usable answer, or silence for too long). Nothing else leaves this file.
// Left out: retries and timing, which are the page's decision; what only some views ask, see
// result-api.js, flows-api.js and tools-api.js.

import { noteServerTime } from "./server-clock.js";

// With its origin: an address with credentials in it can be no base of a request.
export const BASE = `${location.origin}/api/v1`;
export const TIMEOUT_MILLISECONDS = 15_000;

export const PAGE_SIZE = 50;

export class Problem extends Error {
    constructor(status, { title, detail, errors }) {
        super(title);
        this.status = status;
        this.title = title;
        this.detail = typeof detail === "string" ? detail : "";
        this.errors = Array.isArray(errors) ? errors : [];
    }
}

export class ConnectionLost extends Error {
    /** Whether the time for an answer passed, and nothing else is known to have failed. */
    get isLate() {
        return this.cause?.name === "TimeoutError";
    }
}

export const listResults = (q, { cursor, limit = PAGE_SIZE, sort, fields } = {}) =>
    get(`/results?${pageQuery({ q, sort, fields }, cursor, limit)}`);

/** Parameters for a page of a list; filters without a value are left out. */
export function pageQuery(filters, cursor, limit) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) {
        if (value) query.set(name, value);
    }
    query.set("limit", String(limit));
    if (cursor) query.set("cursor", cursor);
    return query;
}

/** The number that the store gave last. */
export const lastSequence = async () => (await get("/stats")).last_seq;

/** Vendors with their names for people, and the kinds of launch links that can be made. */
export const listVendors = async () => (await get("/vendors")).vendors;

// Of more inboxes than a person can choose from, the first are enough.
const INBOX_PAGES = 10;

const naturally = new Intl.Collator("en", { numeric: true }).compare;

/** Inboxes with the numbers of their records of some kinds; `w2` before `w10`. */
export async function listInboxes(kinds) {
    const inboxes = [];
    let cursor = null;
    for (let page = 0; page < INBOX_PAGES; page++) {
        const query = new URLSearchParams(cursor ? { kind: kinds, cursor } : { kind: kinds });
        const answer = await get(`/inboxes?${query}`);
        inboxes.push(...answer.inboxes);
        cursor = answer.next_cursor;
        if (!cursor) break;
    }
    return inboxes.sort((one, other) => naturally(one.name, other.name));
}

/** Whether the server says that there is no such result; false while it can't be asked. */
export async function isGone(id) {
    try {
        const response = await fetch(resultURL(id), {
            method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        });
        return response.status === 404;
    } catch {
        return false;
    }
}

export const WITH_IMAGE = { Accept: "application/json, image/svg+xml" };

export const resultURL = (id) => BASE + resultPath(id);
export const resultPageURL = (id) => `/?result=${encodeURIComponent(id)}`;
export const streamURL = (q, after, fields) =>
    `${BASE}/results/stream?${new URLSearchParams({ ...(q && { q }), after, fields })}`;
export const flowPageURL = (id) => `/flows.html#${encodeURIComponent(id)}`;

export const resultPath = (id) => `/results/${encodeURIComponent(id)}`;

export const get = (path, parse) => request(path, { headers: { Accept: "application/json" } }, parse);

export const postJSON = (path, body, parse, milliseconds) => request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Accept": "application/json", "Content-Type": "application/json" },
}, parse, milliseconds);

/** Parses what is no JSON. */
export const asText = (text) => text;

export async function request(path, options, parse = JSON.parse, milliseconds = TIMEOUT_MILLISECONDS) {
    let response;
    let text;
    try {
        await fetchPieces(BASE + path, options, milliseconds, async (answer, pieces) => {
            response = answer;
            text = await joined(pieces);
        });
    } catch (error) {
        throw new ConnectionLost("Landfall did not answer.", { cause: error });
    }
    if (!response.ok) throw new Problem(response.status, problemIn(text, response.status));
    try {
        return parse(text);
    } catch {
        throw new Problem(response.status, {
            title: "The answer was not JSON",
            detail: "Something between this page and Landfall may have replaced it.",
        });
    }
}

/**
 * Fetches, and gives `read` the response with the pieces of its text. Fails after so many milliseconds of silence,
 * however long the whole takes: a large answer over a slow connection does come.
 */
export async function fetchPieces(url, { signal, ...options }, milliseconds, read) {
    const silence = new AbortController();
    let timer;
    const listen = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(new DOMException("Silence", "TimeoutError")), milliseconds);
    };
    listen();
    try {
        const response = await fetch(url, {
            ...options, cache: "no-store", signal: AbortSignal.any([silence.signal, signal].filter(Boolean)),
        });
        listen();
        noteServerTime(response);
        await read(response, piecesOf(response, listen));
    } finally {
        clearTimeout(timer);
    }
}

async function* piecesOf({ body }, listen) {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader) {
        const { value, done } = await reader.read();
        listen();
        if (done) return;
        yield value;
    }
}

export async function joined(pieces) {
    let text = "";
    for await (const piece of pieces) text += piece;
    return text;
}

export function problemIn(text, status) {
    try {
        const body = JSON.parse(text);
        if (typeof body?.title === "string") return body;
    } catch {
        // Not from Landfall (a proxy's error page, say): described by its status below.
    }
    return { title: `The server answered ${status}`, detail: "It did not say why." };
}
