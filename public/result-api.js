// What is asked of the API about one result, and of findings that many have.
// Left out: failures, see api.js.

import { BASE, TIMEOUT_MILLISECONDS, asText, get, postJSON, request, resultPath } from "./api.js";
import { parseAsWritten } from "./written-json.js";

// The server gives a target 20 seconds.
const SENDING_MILLISECONDS = 30_000;
const HIDDEN = "?credentials=hidden";

export const fetchResult = (id) => get(resultPath(id), parseAsWritten);

/** How the result was decoded, layer by layer, with the bytes around each fault. */
export const fetchLayers = (id, { areCredentialsHidden = false } = {}) =>
    get(`${resultPath(id)}/layers${areCredentialsHidden ? HIDDEN : ""}`);

/** Identical diagnostics of the results that `q` finds, counted together. */
export const groupDiagnostics = (q) => get(`/diagnostics?${new URLSearchParams(q ? { q } : {})}`);

/** The command that sends the stored request again. */
export const fetchCurl = (id) => request(`${resultPath(id)}/curl`, {}, asText);

/** The same command for others to read: without a token that still works. */
export const fetchSharedCurl = (id) => request(`${resultPath(id)}/curl${HIDDEN}`, {}, asText);

/** Sends a stored callback again: to "self" or to a URL. */
export const sendAgain = (id, to) => postJSON(`${resultPath(id)}/send`, { to }, undefined, SENDING_MILLISECONDS);

/** Erases a result; resolves when no answer has it any more. */
export const eraseResult = (id) => request(resultPath(id), { method: "DELETE" }, asText);

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

export const exportURL = (q, format) => `${BASE}/export?${new URLSearchParams({ q, format })}`;
export const rawRequestURL = (id) => `${BASE}${resultPath(id)}/request`;
