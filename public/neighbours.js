// The result before or after another one, asked of the server where the list doesn't hold it.
// Invariant: by sequence, which every record has; what counts as failed is records.js's rule, as the
// language has no word for the severity of a diagnostic.
// Left out: the rows that are loaded, and opening what was found.

import { listResults } from "./api.js";
import { both } from "./query-terms.js";
import { LISTED_FIELDS, isFailed, slimRecord } from "./records.js";

const MAY_HAVE_FAILED = "(outcome:error OR NOT verdict:decoded)";
const PAGE = 200;
const PAGES = 25;

/**
 * Finds the record next to `from` among those that match `query`: the next older one for a step of 1, the next newer one
 * for -1. With `onlyFailed`, records that didn't fail are passed over. `from` has a `seq` or an `id`.
 *
 * Returns { record }, without a record if there is none. Returns { asked } if the search was given up after that many
 * records.
 */
export async function storedNeighbour(query, from, step, onlyFailed) {
    const seq = from.seq ?? await sequenceOf(from.id);
    if (seq === null) return {};
    const q = both(onlyFailed ? both(query, MAY_HAVE_FAILED) : query, `seq:${step > 0 ? "<" : ">"}${seq}`);
    let cursor;
    for (let page = 0; page < PAGES; page++) {
        const answer = await listResults(q, {
            cursor, limit: onlyFailed ? PAGE : 1, sort: step > 0 ? "-seq" : "seq", fields: LISTED_FIELDS,
        });
        const record = answer.results.map(slimRecord).find((one) => !onlyFailed || isFailed(one));
        cursor = answer.next_cursor;
        if (record || !cursor) return { record };
    }
    return { asked: PAGE * PAGES };
}

async function sequenceOf(id) {
    const { results } = await listResults(`has:kind id:"${id}"`, { limit: 1, fields: "seq" });
    return results[0]?.seq ?? null;
}
