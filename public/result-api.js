// What is asked of the API about one result, and of diagnostics that many have.
// Left out: failures, see api.js; what sends and erases a result, see result-dialogs.js.

import { BASE, asText, get, request, resultPath } from "./api.js";
import { parseAsWritten } from "./written-json.js";

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

export const exportURL = (q, format) => `${BASE}/export?${new URLSearchParams({ q, format })}`;
export const rawRequestURL = (id) => `${BASE}${resultPath(id)}/request`;
