// The records that the list shows: pages of stored ones, and what arrives while the page is open.
// Invariant: newest first, no record twice, none left out: a stream begins at the newest record of
// the first page, and what a slow reader missed is read from the store before the stream goes on.
// Left out: how rows look, and when arrivals may move the list: `holds` says so.

import { ConnectionLost, Problem, listResults, streamURL } from "./api.js";
import { LISTED_FIELDS, slimRecord } from "./records.js";
import { readEvents } from "./event-stream.js";

const FIRST_PAGE = 100;
const OLDER_PAGE = 500;
const RETRY_MILLISECONDS = 250;
const RETRY_MAX_MILLISECONDS = 8_000;
const KEPT_RECORDS = 250_000;

/**
 * `changed()` is called when rows or counts changed, `arrived(records)` for new ones,
 * `stateChanged(state, error)` for "loading", "live", "lost" and "refused".
 */
export function createFeed({ changed, arrived, stateChanged, holds }) {
    let query = "";
    let arrivals = [];           // oldest first, so that adding one moves nothing
    let pending = [];            // oldest first: what came while the list must not move
    let older = [];              // newest first
    let byId = new Map();
    let cursor = null;
    let total = null;
    let lastSequence = 0;
    let loading = null;
    let abort = new AbortController();

    const isCurrent = (mine) => mine === abort && !mine.signal.aborted;

    function reset() {
        abort.abort();
        abort = new AbortController();
        arrivals = [];
        pending = [];
        older = [];
        byId = new Map();
        cursor = null;
        total = null;
        lastSequence = 0;
        loading = null;
        return abort;
    }

    /** Reads the first page for a query, then follows what arrives. */
    async function start(text) {
        query = text;
        const mine = reset();
        stateChanged("loading");
        for (let failures = 0; isCurrent(mine); failures++) {
            try {
                const page = await listResults(query, { limit: FIRST_PAGE, fields: LISTED_FIELDS });
                if (!isCurrent(mine)) return;
                addPage(page);
                total = page.total ?? null;
                changed();
                stateChanged("live");
                follow(mine);
                return;
            } catch (error) {
                if (!isCurrent(mine) || !(await mayRetry(error, failures, mine))) return;
            }
        }
    }

    /** Tells of the failure; resolves after a while, to true unless trying again is of no use. */
    async function mayRetry(error, failures, mine) {
        const isRefused = error instanceof Problem && error.status < 500;
        if (!isRefused && !(error instanceof ConnectionLost || error instanceof Problem)) throw error;
        stateChanged(isRefused ? "refused" : "lost", error);
        if (isRefused) return false;
        const wait = Math.min(RETRY_MILLISECONDS * 2 ** failures, RETRY_MAX_MILLISECONDS);
        await new Promise((resolve) => {
            setTimeout(resolve, wait);
            addEventListener("online", resolve, { once: true });
        });
        return isCurrent(mine);
    }

    async function follow(mine) {
        let failures = 0;
        while (isCurrent(mine)) {
            try {
                await readEvents(streamURL(query, lastSequence, LISTED_FIELDS), {
                    lastId: lastSequence,
                    signal: mine.signal,
                    opened: () => {
                        failures = 0;
                        stateChanged("live");
                    },
                    take: (events) => take(events, mine),
                });
                // The server ended the stream in order, as it does when it stops.
                throw new ConnectionLost("The stream ended.");
            } catch (error) {
                if (!isCurrent(mine)) return;
                // A sequence that this store never gave: it is another store than before.
                if (error instanceof Problem && error.errors.some(({ name }) => name === "after")) {
                    start(query);
                    return;
                }
                if (!(await mayRetry(error, failures, mine))) return;
                failures += 1;
            }
        }
    }

    async function take(events, mine) {
        const fresh = [];
        for (const { event, data } of events) {
            if (event === "result") {
                addNew(slimRecord(JSON.parse(data)), fresh);
            } else if (event === "gap") {
                const { first_seq: first, last_seq: last } = JSON.parse(data);
                await readGap(first, last, fresh, mine);
            }
        }
        if (fresh.length > 0 && isCurrent(mine)) keep(fresh);
    }

    function addNew(record, fresh) {
        if (byId.has(record.id)) return;
        byId.set(record.id, record);
        lastSequence = Math.max(lastSequence, record.seq);
        fresh.push(record);
    }

    /** What the stream left out because this page read too slowly. */
    async function readGap(first, last, fresh, mine) {
        const range = `seq:${first}..${last}`;
        const q = query ? `(${query}) ${range}` : range;
        let next;
        do {
            const page = await listResults(q, {
                cursor: next, limit: OLDER_PAGE, sort: "seq", fields: LISTED_FIELDS,
            });
            if (!isCurrent(mine)) return;
            for (const record of page.results) addNew(slimRecord(record), fresh);
            next = page.next_cursor;
        } while (next);
        lastSequence = Math.max(lastSequence, last);
    }

    function keep(fresh) {
        if (total) total = { ...total, count: total.count + fresh.length };
        if (holds()) pending.push(...fresh);
        else release(fresh);
        arrived(fresh);
        changed();
        if (byId.size > KEPT_RECORDS) start(query);
    }

    function release(fresh) {
        for (const record of pending) arrivals.push(record);
        for (const record of fresh) arrivals.push(record);
        pending = [];
    }

    function addPage(page) {
        for (const item of page.results) {
            const record = slimRecord(item);
            if (byId.has(record.id)) continue;
            byId.set(record.id, record);
            older.push(record);
            lastSequence = Math.max(lastSequence, record.seq);
        }
        cursor = page.next_cursor;
    }

    /** Reads the next page of older records; one at a time. */
    function readOlder() {
        if (!cursor || loading) return loading ?? Promise.resolve();
        const mine = abort;
        loading = listResults(query, { cursor, limit: OLDER_PAGE, fields: LISTED_FIELDS }).then((page) => {
            if (!isCurrent(mine)) return;
            addPage(page);
            loading = null;
            changed();
        }, (error) => {
            if (!isCurrent(mine)) return;
            loading = null;
            if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
            stateChanged("lost", error);
        });
        return loading;
    }

    function remove(id) {
        if (!byId.delete(id)) return;
        const others = (record) => record.id !== id;
        arrivals = arrivals.filter(others);
        pending = pending.filter(others);
        older = older.filter(others);
        if (total) total = { ...total, count: Math.max(0, total.count - 1) };
        changed();
    }

    const at = (index) => (index < arrivals.length
        ? arrivals[arrivals.length - 1 - index] : older[index - arrivals.length]);

    function indexOf(id) {
        const record = byId.get(id);
        if (!record) return -1;
        const inOlder = older.indexOf(record);
        if (inOlder >= 0) return inOlder + arrivals.length;
        const inArrivals = arrivals.indexOf(record);
        return inArrivals < 0 ? -1 : arrivals.length - 1 - inArrivals;
    }

    return {
        start,
        readOlder,
        remove,
        at,
        indexOf,
        count: () => arrivals.length + older.length,
        pendingCount: () => pending.length,
        hasOlder: () => cursor !== null,
        total: () => total,
        /** Shows what came while the list was held. */
        showPending() {
            release([]);
            changed();
        },
    };
}
