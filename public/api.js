// Talks to the query API and turns every failure into one of two errors.
// Invariant: a call returns parsed JSON, or throws Problem (the server answered and said why) or
// ConnectionLost (no usable answer, or silence for too long). Nothing else leaves this file.
// Left out: retries and timing, which are the page's decision; what only some pages ask, see
// flows-api.js and tools-api.js.

import { noteServerTime } from "./server-clock.js";

// With its origin: an address with credentials in it can be no base of a request.
export const BASE = `${location.origin}/api/v1`;
const TIMEOUT_MILLISECONDS = 15_000;
// The server gives a target 20 seconds.
const SENDING_MILLISECONDS = 30_000;

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

/** A number whose text would change if JavaScript printed it, such as 1.50 or a 20-digit integer. */
export class NumberAsWritten {
    constructor(text) {
        this.text = text;
    }

    toString() {
        return this.text;
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

/** The fields that queries may name, with their operators and values. */
export const listFields = async () => (await get("/fields")).fields;

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

export function fetchResult(id) {
    return get(resultPath(id), keepNumberText);
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

const HIDDEN = "?credentials=hidden";

/** How the result was decoded, layer by layer, with the bytes around each fault. */
export const fetchLayers = (id, { areCredentialsHidden = false } = {}) =>
    get(`${resultPath(id)}/layers${areCredentialsHidden ? HIDDEN : ""}`);

/** Identical diagnostics of the results that `q` finds, counted together. */
export const groupDiagnostics = (q) => get(`/diagnostics?${new URLSearchParams(q ? { q } : {})}`);

/** The command that sends the stored request again. */
export const fetchCurl = (id) => request(`${resultPath(id)}/curl`, {}, asText);

/** The same command for others to read: without a token that still works. */
export const fetchSharedCurl = (id) => request(`${resultPath(id)}/curl${HIDDEN}`, {}, asText);

/** Whether the API answers only those who have the token; false while that can't be asked. */
export async function needsToken() {
    try {
        const response = await fetch(`${BASE}/vendors`, {
            method: "HEAD", credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        });
        return response.status === 401;
    } catch {
        return false;
    }
}

/** Sends a stored callback again: to "self" or to a URL. */
export const sendAgain = (id, to) => postJSON(`${resultPath(id)}/send`, { to }, undefined, SENDING_MILLISECONDS);

/** Erases a result; resolves when no answer has it any more. */
export const eraseResult = (id) => request(resultPath(id), { method: "DELETE" }, asText);

export const WITH_IMAGE = { Accept: "application/json, image/svg+xml" };

/** Addresses at which others reach this server, with QR codes; none where it doesn't say. */
export async function listAddresses() {
    try {
        return (await request("/addresses", { headers: WITH_IMAGE })).addresses;
    } catch (error) {
        if (error instanceof Problem && error.status === 404) return [];
        throw error;
    }
}

/** Resolves when the address has been asked for; what came back is of no interest. */
export const visit = (path) => fetch(location.origin + path, { headers: { Accept: "*/*" } });

export const resultURL = (id) => BASE + resultPath(id);
export const resultPageURL = (id) => `/?result=${encodeURIComponent(id)}`;
export const streamURL = (q, after, fields) =>
    `${BASE}/results/stream?${new URLSearchParams({ ...(q && { q }), after, fields })}`;
export const exportURL = (q, format) => `${BASE}/export?${new URLSearchParams({ q, format })}`;
export const flowPageURL = (id) => `/flows.html#${encodeURIComponent(id)}`;
export const rawRequestURL = (id) => `${BASE}${resultPath(id)}/request`;

const resultPath = (id) => `/results/${encodeURIComponent(id)}`;

export const get = (path, reviver) => request(path, { headers: { Accept: "application/json" } }, reviver);

export const postJSON = (path, body, reviver, milliseconds) => request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Accept": "application/json", "Content-Type": "application/json" },
}, reviver, milliseconds);

// In place of a reviver: the body is no JSON.
export const asText = Symbol("text");

export async function request(path, options, reviver, milliseconds = TIMEOUT_MILLISECONDS) {
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
    if (reviver === asText) return text;
    try {
        return JSON.parse(text, reviver);
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

// `context.source` is the number's own text; browsers without it show JavaScript's spelling.
export function keepNumberText(_key, value, context) {
    if (typeof value !== "number" || !context?.source) return value;
    return String(value) === context.source ? value : new NumberAsWritten(context.source);
}
