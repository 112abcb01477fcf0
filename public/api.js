// Talks to the query API and turns every failure into one of two errors.
// Invariant: a call returns parsed JSON, or throws Problem (the server answered and said why) or
// ConnectionLost (no usable answer in time). Nothing else leaves this file.
// Left out: retries and timing, which are the page's decision.

const BASE = "/api/v1";
const TIMEOUT_MILLISECONDS = 15_000;

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

export class ConnectionLost extends Error {}

/** A number whose text would change if JavaScript printed it, such as 1.50 or a 20-digit integer. */
export class NumberAsWritten {
    constructor(text) {
        this.text = text;
    }
}

export const listResults = (filters, cursor) => get(`/results?${pageQuery(filters, cursor)}`);
export const listFlows = (filters, cursor) => get(`/flows?${pageQuery(filters, cursor)}`);

function pageQuery(filters, cursor) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) {
        if (value) query.set(name, value);
    }
    query.set("limit", String(PAGE_SIZE));
    if (cursor) query.set("cursor", cursor);
    return query;
}

/** How the flows went that were launched at `since` or later; all of them without it. */
export function reportFlows(since) {
    const query = new URLSearchParams(since ? { since } : {});
    return get(`/flows/report?${query}`);
}

/** Vendors with their names for people, and the kinds of launch links that can be made. */
export const listVendors = async () => (await get("/vendors")).vendors;

export const fetchFlow = (id) => get(flowPath(id));

/** Makes a launch link and its flow; the answer has the link's QR code in it. */
export const mintLaunch = (order) => request("/launches", {
    method: "POST",
    body: JSON.stringify(order),
    headers: { "Accept": "application/json, image/svg+xml", "Content-Type": "application/json" },
});

// Of more inboxes than a person can choose from, the first are enough.
const INBOX_PAGES = 10;

/** Inboxes with the numbers of their records of some kinds. */
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
    return inboxes;
}

export function fetchResult(id) {
    return get(resultPath(id), keepNumberText);
}

export const resultURL = (id) => BASE + resultPath(id);
export const flowURL = (id) => BASE + flowPath(id);
export const resultPageURL = (id) => `/#${encodeURIComponent(id)}`;
export const flowPageURL = (id) => `/flows.html#${encodeURIComponent(id)}`;
export const rawRequestURL = (id) => `${BASE}${resultPath(id)}/request`;

const resultPath = (id) => `/results/${encodeURIComponent(id)}`;
const flowPath = (id) => `/flows/${encodeURIComponent(id)}`;

const get = (path, reviver) => request(path, { headers: { Accept: "application/json" } }, reviver);

async function request(path, options, reviver) {
    let response;
    let text;
    try {
        response = await fetch(BASE + path, {
            ...options,
            cache: "no-store",
            signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        });
        text = await response.text();
    } catch (error) {
        throw new ConnectionLost("Landfall did not answer.", { cause: error });
    }
    if (!response.ok) throw new Problem(response.status, problemIn(text, response.status));
    try {
        return JSON.parse(text, reviver);
    } catch {
        throw new Problem(response.status, {
            title: "The answer was not JSON",
            detail: "Something between this page and Landfall may have replaced it.",
        });
    }
}

function problemIn(text, status) {
    try {
        const body = JSON.parse(text);
        if (typeof body?.title === "string") return body;
    } catch {
        // Not from Landfall (a proxy's error page, say): described by its status below.
    }
    return { title: `The server answered ${status}`, detail: "It did not say why." };
}

// `context.source` is the number's own text; browsers without it show JavaScript's spelling.
function keepNumberText(_key, value, context) {
    if (typeof value !== "number" || !context?.source) return value;
    return String(value) === context.source ? value : new NumberAsWritten(context.source);
}
