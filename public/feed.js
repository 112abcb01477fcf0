// The records that the list shows: pages of stored ones, and what arrives while the page is open.
// Invariant: newest first, no record twice, none left out: a stream begins with what is stored after
// the first page was asked for, as imported results are stored late and received early. What a slow
// reader missed is read from the store first. What is decoded again, which gives it another sequence,
// stays in its place and isn't new. What was erased leaves the list when `check` finds it gone. All are
// of one store: a server with another one gets a new list.
// Left out: how rows look, and when arrivals may move the list: `holds` says so.

import { ConnectionLost, Problem, lastSequence, listResults, readEvents, streamURL } from "./api.js";
import { LISTED_FIELDS, slimRecord } from "./records.js";
import { both } from "./query-terms.js";

const FIRST_PAGE = 100;
const OLDER_PAGE = 500;
const RETRY_MILLISECONDS = 250;
const RETRY_MAX_MILLISECONDS = 8_000;
const KEPT_RECORDS = 250_000;
const CHECKED_RECORDS = 500;

/**
 * `changed(id)` is called when rows or counts changed, with the id of one that was decoded again, `arrived(records)`
 * for new ones, `stateChanged(state, error)` for "loading", "live", "lost" and "refused".
 */
export function createFeed({ changed, arrived, stateChanged, holds }) {
    let query = "";
    let arrivals = [];           // oldest first, so that adding one moves nothing
    let pending = [];            // oldest first: what came while the list must not move
    let older = [];              // newest first
    let byId = new Map();
    let cursor = null;
    let total = null;
    let seen = null;             // the sequence that the stream has come to; null before the first page was read
    let loading = null;
    let checking = null;
    let olderError = null;       // why the last page of older records could not be read
    let abort = new AbortController();
    let retry = () => {};        // ends the wait before the next try

    const count = () => arrivals.length + older.length;
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
        seen = null;
        loading = null;
        olderError = null;
        return abort;
    }

    /** Reads the first page for a query, then follows what arrives. */
    async function start(text) {
        query = text;
        const mine = reset();
        stateChanged("loading");
        for (let failures = 0; isCurrent(mine); failures++) {
            try {
                const stored = await lastSequence();
                const page = await listResults(query, { limit: FIRST_PAGE, fields: LISTED_FIELDS });
                if (!isCurrent(mine)) return;
                seen = stored;
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
            retry = resolve;
            setTimeout(resolve, wait);
            addEventListener("online", resolve, { once: true, signal: AbortSignal.timeout(wait) });
        });
        return isCurrent(mine);
    }

    async function follow(mine, failures = 0) {
        while (isCurrent(mine)) {
            let isQuiet = false;  // opened, and nothing has come
            try {
                if (failures > 0 && await isOtherStore()) {
                    if (isCurrent(mine)) start(query);
                    return;
                }
                await readEvents(streamURL(query, seen, LISTED_FIELDS), {
                    lastId: seen,
                    signal: mine.signal,
                    opened: () => {
                        isQuiet = true;
                        stateChanged("live");
                    },
                    take: async (events) => {
                        isQuiet = false;
                        await take(events, mine);
                        failures = 0;
                    },
                });
                // The server ended the stream in order, as it does when it stops.
                throw new ConnectionLost("The stream ended.");
            } catch (error) {
                if (!isCurrent(mine)) return;
                // Another store than before never gave this sequence, or the query has no room for a gap's term.
                if (error.errors?.some(({ name }) => name === "after" || name === "q")) {
                    start(query);
                    return;
                }
                if (isQuiet) failures = 0;
                if (!(await mayRetry(error, failures, mine))) return;
                failures += 1;
            }
        }
    }

    /** Whether the newest sequence of the list is another record's by now. */
    async function isOtherStore() {
        const newest = [...byId.values()].reduce((one, other) => (one?.seq > other.seq ? one : other), null);
        if (!newest) return false;
        const { results } = await listResults(`has:kind seq:${newest.seq}`, { limit: 1, fields: "id" });
        return results.length > 0 && results[0].id !== newest.id;
    }

    async function take(events, mine) {
        const fresh = [];
        try {
            for (const { event, data } of events) {
                if (event === "result") {
                    addNew(slimRecord(JSON.parse(data)), fresh);
                } else if (event === "gap") {
                    const { first_seq: first, last_seq: last } = JSON.parse(data);
                    await readGap(first, last, fresh, mine);
                    if (!isCurrent(mine)) return;
                }
            }
        } finally {
            // They are kept even if a gap can't be read, because the next stream begins after them.
            if (fresh.length > 0 && isCurrent(mine)) keep(fresh);
        }
    }

    function addNew(record, fresh) {
        seen = Math.max(seen, record.seq);
        const former = byId.get(record.id);
        if (former) {
            if (former.seq === record.seq) return;
            Object.assign(former, record);
            changed(record.id);
        // Decoded again, and far from what is loaded: its page of older records brings it.
        } else if (!(record.isAgain && cursor && record.time < older.at(-1)?.time)) {
            byId.set(record.id, record);
            fresh.push(record);
        }
    }

    /** Reads what the stream left out because this page was too slow. After a very large gap, the list starts again. */
    async function readGap(first, last, fresh, mine) {
        if (last - first >= KEPT_RECORDS) {
            start(query);
            return;
        }
        const q = both(query, `seq:${first}..${last}`);
        let next;
        do {
            const page = await listResults(q, {
                cursor: next, limit: OLDER_PAGE, sort: "seq", fields: LISTED_FIELDS,
            });
            if (!isCurrent(mine)) return;
            for (const record of page.results) addNew(slimRecord(record), fresh);
            next = page.next_cursor;
        } while (next);
        seen = Math.max(seen, last);
    }

    function keep(fresh) {
        if (total) total = { ...total, count: total.count + fresh.length };
        for (const record of fresh) pending.push(record);
        if (!holds() || count() === 0) release();
        arrived(fresh);
        changed();
        if (byId.size > KEPT_RECORDS) start(query);
    }

    function release() {
        for (const record of pending) arrivals.push(record);
        pending = [];
    }

    function addPage(page) {
        for (const item of page.results) {
            const record = slimRecord(item);
            if (byId.has(record.id)) continue;
            byId.set(record.id, record);
            older.push(record);
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
            olderError = null;
            changed();
        }, (error) => {
            if (!isCurrent(mine)) return;
            loading = null;
            if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
            olderError = error;
            changed();
        });
        return loading;
    }

    function remove(id) {
        const dropped = drop([id]);
        if (dropped === 0) return;
        takeFromTotal(dropped);
        changed();
    }

    function takeFromTotal(dropped) {
        if (total) total = { ...total, count: Math.max(0, total.count - dropped) };
    }

    /** Takes records away; how many there were. */
    function drop(ids) {
        let dropped = 0;
        for (const id of ids) dropped += Number(byId.delete(id));
        if (dropped === 0) return 0;
        const isKept = (record) => byId.has(record.id);
        arrivals = arrivals.filter(isKept);
        pending = pending.filter(isKept);
        older = older.filter(isKept);
        if (count() === 0) release();
        return dropped;
    }

    /**
     * Takes away what was erased or matches no longer, and corrects the count: of the records around `index`, of the
     * newest, and of all where there are more of them than results. One look at a time.
     */
    async function check(index) {
        if (checking) return;
        const mine = abort;
        checking = checkAround(index, mine).catch((error) => {
            // The query may have no room for one more term.
            if (error.status !== 400) throw error;
            return isCurrent(mine) && checkUpTo(Infinity, mine);
        }).catch((error) => {
            // What can't be asked now is asked the next time.
            if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
        }).finally(() => { checking = null; });
        await checking;
    }

    async function checkAround(index, mine) {
        const first = Math.max(0, index - CHECKED_RECORDS / 2);
        const around = Array.from({ length: CHECKED_RECORDS }, (_, offset) => at(first + offset)).filter(Boolean);
        if (first > 0) await checkUpTo(highestOf(around), mine);
        if (isCurrent(mine)) await checkUpTo(highestOf([...byId.values()]), mine);
    }

    const highestOf = (records) => records.reduce((seq, record) => Math.max(seq, record.seq), 0);

    /** Checks the newest records up to this sequence; all of them where there are more than results. */
    async function checkUpTo(highest, mine) {
        const loaded = [...byId.values()].filter(({ seq }) => seq <= highest);
        if (loaded.length === 0) return;
        const streamed = seen;
        const isBounded = highest < Infinity;
        const read = (next) => listResults(isBounded ? both(query, `seq:..${highest}`) : query, {
            cursor: next, limit: CHECKED_RECORDS, sort: "-seq", fields: "id,seq",
        });
        let page = await read();
        if (!isCurrent(mine)) return;
        const counted = page.total;
        const stored = new Set(page.results.map(({ id }) => id));
        if (stored.size > 0 && !loaded.some(({ id }) => stored.has(id))) {
            start(query);
            return;
        }
        while (page.next_cursor && counted?.exact && counted.count < loaded.length) {
            page = await read(page.next_cursor);
            if (!isCurrent(mine)) return;
            for (const { id } of page.results) stored.add(id);
        }
        const lowest = page.next_cursor ? page.results.at(-1)?.seq ?? highest + 1 : 0;
        const gone = loaded.filter(({ id, seq }) => seq >= lowest && !stored.has(id)).map(({ id }) => id);
        let again = new Set();
        if (gone.length > 0 && isBounded) {
            // Not gone is what has just been decoded again, and comes by the stream.
            const later = await listResults(both(query, `seq:>${streamed}`), {
                limit: CHECKED_RECORDS, sort: "seq", fields: "id",
            });
            if (!isCurrent(mine) || later.next_cursor) return;
            again = new Set(later.results.map(({ id }) => id));
        }
        const dropped = drop(gone.filter((id) => !again.has(id)));
        // The exact number of results is known of a whole store, and rarely of a part of a large one.
        if (isBounded && counted && (counted.exact || !total?.exact)) {
            const newer = [...byId.values()].filter(({ id, seq }) => seq > highest || again.has(id)).length;
            total = { ...counted, count: counted.count + newer };
        } else {
            takeFromTotal(dropped);
        }
        changed();
    }

    /** What the list doesn't show yet is before it: -1 is the oldest of that. */
    const at = (index) => (index < 0 ? pending[-1 - index] : index < arrivals.length
        ? arrivals[arrivals.length - 1 - index] : older[index - arrivals.length]);

    /** The index that `at` takes; null for a result that isn't loaded. */
    function placeOf(id) {
        const waiting = pending.findIndex((record) => record.id === id);
        const index = waiting < 0 ? indexOf(id) : -1 - waiting;
        return waiting < 0 && index < 0 ? null : index;
    }

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
        /** Ends the stream. */
        stop: () => abort.abort(),
        /** Follows again after `stop`; the records stay. */
        resume() {
            if (seen === null) return start(query);
            abort.abort();
            abort = new AbortController();
            loading = null;
            follow(abort, 1);
        },
        /** Tries at once to reach a server that was lost; the records stay. */
        retry: () => retry(),
        readOlder,
        remove,
        check,
        at,
        placeOf,
        indexOf,
        count,
        pendingCount: () => pending.length,
        hasOlder: () => cursor !== null,
        olderError: () => olderError,
        total: () => total,
        /** Shows what came while the list was held. */
        showPending() {
            release();
            changed();
        },
    };
}
