// The result before or after another one, asked of the server where the list doesn't hold it.
// Invariant: in the list's order, which is by time of receipt, and within a millisecond the server's; what counts
// as failed is records.js's rule, as the language has no word for the severity of a diagnostic.
// Left out: the rows that are loaded, and opening what was found.

import { listResults } from "./api.js";
import { both } from "./query-terms.js";
import { LISTED_FIELDS, isFailed, slimRecord } from "./records.js";

const PAGE = 200;
const PAGES = 25;

/**
 * Finds the record next to the one with this id among those that match `query`: the next older one for a step of 1, the
 * next newer one for -1. With `onlyFailed`, records that didn't fail are passed over.
 *
 * Returns { record }, without a record if there is none. Returns { asked } if the search was given up after that many
 * records.
 */
export async function storedNeighbour(query, id, step, onlyFailed) {
    // An id begins with its record's time of receipt.
    const time = new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));
    if (Number.isNaN(time.getTime())) return {};
    const mayHaveFailed = `(outcome:error OR NOT verdict:decoded OR id:"${id}")`;
    const q = both(onlyFailed ? both(query, mayHaveFailed) : query,
        `received_at:${step > 0 ? "<=" : ">="}${time.toISOString()}`);
    let isBeyond = (one) => (one.id < id) === step > 0;
    let cursor;
    for (let page = 0; page < PAGES; page++) {
        const answer = await listResults(q, {
            cursor, limit: onlyFailed || page > 0 ? PAGE : 10, sort: step > 0 ? "-received_at" : "received_at", fields: LISTED_FIELDS,
        });
        const own = answer.results.findIndex((one) => one.id === id);
        if (own >= 0) isBeyond = () => true;
        const record = answer.results.slice(own + 1).map(slimRecord)
            .find((one) => isBeyond(one) && (!onlyFailed || isFailed(one)));
        cursor = answer.next_cursor;
        if (record || !cursor) return { record };
    }
    return { asked: PAGE * PAGES };
}
