// Talks to the query API, turns every failure into one of two errors, and knows the server's time and vendors.
// Invariant: a call returns parsed JSON, or throws Problem (the server answered and said why) or
// ConnectionLost (no usable answer, or silence for too long). Nothing else leaves this file but defects of `parse`.
// Relative times on the page are differences of the server's own times, as this device's clock may be wrong.
// Left out: retries and timing, which are the page's decision; what only some views ask, see
// result-api.js, flows-api.js and tools-api.js.

// With its origin: an address with credentials in it can be no base of a request.
export const BASE = `${location.origin}/api/v1`;
export const TIMEOUT_MILLISECONDS = 15_000;
// The server sends a comment every 15 seconds.
const SILENCE_MILLISECONDS = 40_000;
const HALF_SECOND = 500;
const NOTICEABLE_MILLISECONDS = 5_000;

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

/** The number that the store gave last. It is the same for all kinds, and registrations have the fewest groups. */
export const lastSequence = async () => (await get("/stats?kind=registration")).last_seq;

/** Vendors with their names for people, and the kinds of launch links that can be made. */
export const listVendors = async () => (await get("/vendors")).vendors;

// Of more inboxes than a person can choose from, the first are enough.
const INBOX_PAGES = 10;

const naturally = new Intl.Collator("en", { numeric: true }).compare;

/** Inboxes with the numbers of their records; `w2` before `w10`. */
export async function listInboxes() {
    const inboxes = [];
    let cursor = null;
    for (let page = 0; page < INBOX_PAGES; page++) {
        const query = new URLSearchParams({ kind: "any", ...(cursor && { cursor }) });
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
    } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
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
async function fetchPieces(url, { signal, ...options }, milliseconds, read) {
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
        // What is left of a body that wasn't read to its end would hold a connection.
        silence.abort();
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

async function joined(pieces) {
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

// ---- Events ----------------------------------------------------------------------------------------

/**
 * Follows server-sent events by `fetch`, which unlike EventSource tells why a stream was refused, sends the browser's
 * credentials, and begins where the reader says.
 *
 * Reads until the stream ends or `signal` aborts. `take` gets the events of each chunk as `{ event, data }` and may
 * return a promise, after which the next ones follow; `opened` is called once the server has accepted.
 */
export async function readEvents(url, { lastId, signal, opened, take }) {
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": String(lastId) }) };
    try {
        await fetchPieces(url, { headers, signal }, SILENCE_MILLISECONDS, async (response, pieces) => {
            if (!response.ok) throw new Problem(response.status, problemIn(await joined(pieces), response.status));
            opened();
            let rest = "";
            for await (const piece of pieces) {
                const blocks = (rest + piece).split("\n\n");
                rest = blocks.pop();
                const events = blocks.map(eventOf).filter((event) => event.data);
                if (events.length > 0) await take(events);
            }
        });
    } catch (error) {
        if (error instanceof Problem) throw error;
        throw new ConnectionLost("The stream broke.", { cause: error });
    }
}

function eventOf(block) {
    const event = { event: "message", data: "" };
    for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        if (colon <= 0) continue;
        const name = line.slice(0, colon);
        if (name === "event" || name === "data") event[name] = line.slice(colon + 1).trimStart();
    }
    return event;
}

// ---- The server's time -----------------------------------------------------------------------------

let difference = 0;

/** Takes the time of a response. */
function noteServerTime(response) {
    const date = Date.parse(response.headers.get("Date") ?? "");
    if (Number.isNaN(date)) return;
    const measured = date + HALF_SECOND - Date.now();
    difference = Math.abs(measured) < NOTICEABLE_MILLISECONDS ? 0 : measured;
}

/** Milliseconds since 1970 on the server's clock. */
export const serverNow = () => Date.now() + difference;

/** By how many milliseconds the server's clock is ahead of this device's; 0 if that can't be noticed. */
export const clockDifference = () => difference;

// ---- Vendors ---------------------------------------------------------------------------------------

const titles = new Map();
let reading = null;

/** The server's vendors, read once; none while it can't be asked, and then the next call asks again. */
export function readVendors() {
    reading ??= listVendors().then((vendors) => {
        for (const { name, title } of vendors) titles.set(name, title);
        return vendors;
    }, () => {
        reading = null;
        return [];
    });
    return reading;
}

/** A vendor's name for people, as the server gives it; an unknown one as it is written. */
export const titleOf = (vendor) => titles.get(vendor) ?? vendor ?? "unknown";
