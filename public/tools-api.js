// What is asked of the API by the pages of links and for trying.
// Left out: failures, see api.js.

import { ConnectionLost, Problem, asText, get, postJSON, problemIn, request } from "./api.js";
import { parseAsWritten } from "./written-json.js";

const putJSON = (path, body) => request(path, {
    method: "PUT", body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
});

export const decodePasted = (pasted) => postJSON("/decode", pasted, parseAsWritten);

/** `kind` is association or assetlinks. */
export const lintFile = (content, kind) => request(`/associations/lint?${new URLSearchParams({ kind })}`, {
    method: "POST", body: content, headers: { "Content-Type": "application/json" },
});
export const compareFile = (order) => postJSON("/associations/diff", order);
export const explainLink = (url) => get(`/links/explain?${new URLSearchParams({ url })}`);
export const listSites = async () => (await get("/sites")).sites;

const planPath = (vendor) => `/emulator/${encodeURIComponent(vendor)}`;
export const fetchPlan = (vendor) => get(planPath(vendor));
export const savePlan = (vendor, plan) => putJSON(planPath(vendor), plan);
export const resetPlan = (vendor) => request(planPath(vendor), { method: "DELETE" }, asText);

const answerPath = (vendor, inbox) => `/receivers/${encodeURIComponent(vendor)}/${encodeURIComponent(inbox)}/answer`;
export const fetchAnswer = (vendor, inbox) => get(answerPath(vendor, inbox));
export const saveAnswer = (vendor, inbox, answer) => putJSON(answerPath(vendor, inbox), answer);
export const removeAnswer = (vendor, inbox) => request(answerPath(vendor, inbox), { method: "DELETE" });

/** Posts a measurement as Welltory's app would open it; the receipt, or the `answer` of a receiver that has its own. */
export async function sendMeasurement(parameters) {
    const [response, text] = await fetch(`${location.origin}/callbacks/welltory`, {
        method: "POST", body: parameters, headers: { Accept: "application/json" }, redirect: "manual",
    }).then(async (answer) => [answer, await answer.text()])
        .catch((cause) => { throw new ConnectionLost("Landfall did not answer.", { cause }); });
    const receipt = receiptIn(text);
    if (receipt) return receipt;
    if (response.type === "opaqueredirect") return { answer: "a redirect" };
    // Only what a receiver has been set to answer has this field; a failure without it says that nothing was received.
    if (!response.ok && response.headers.get("Content-Security-Policy") !== "sandbox") {
        throw new Problem(response.status, problemIn(text, response.status));
    }
    return { answer: text ? `${response.status}: ${text}` : String(response.status) };
}

function receiptIn(text) {
    try {
        const receipt = JSON.parse(text);
        return receipt?.id && receipt.verdict ? receipt : null;
    } catch {
        return null;
    }
}
