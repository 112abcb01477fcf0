// What is asked of the API about launches and flows, forwarding and drift.
// Left out: failures, see api.js.

import { BASE, PAGE_SIZE, WITH_IMAGE, get, pageQuery, request } from "./api.js";

// All results of a vendor are read.
const COMPARING_MILLISECONDS = 120_000;

const flowPath = (id) => `/flows/${encodeURIComponent(id)}`;

export const listFlows = (filters, cursor, limit = PAGE_SIZE) =>
    get(`/flows?${pageQuery(filters, cursor, limit)}`);

/** How the flows went that `filters` leave, and that were launched at `since` or later if it is given. */
export const reportFlows = (filters) =>
    get(`/flows/report?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value))}`);

export const fetchFlow = (id) => get(flowPath(id));
export const flowURL = (id) => BASE + flowPath(id);

/** Makes a launch link and its flow; the answer has the link's QR code in it. */
export const mintLaunch = (order) => request("/launches", {
    method: "POST",
    body: JSON.stringify(order),
    headers: { ...WITH_IMAGE, "Content-Type": "application/json" },
});

/** The targets of forwarding, and callbacks by target: of a `rule`, in a `state`, at most `limit` in all. */
export const listDeliveries = (asked) => get(`/deliveries?${new URLSearchParams(asked)}`);

/** Tries again what a rule gave up; how many callbacks that is. */
export const retryDeliveries = (rule) =>
    request(`/deliveries/retry?${new URLSearchParams({ rule })}`, { method: "POST" });

/** How a vendor's results since a time, such as `7d`, differ from its contracts; all of them for "". */
export const compareVendor = (vendor, since) => request(
    `/vendors/${encodeURIComponent(vendor)}/drift?${new URLSearchParams(since && { since })}`,
    {}, undefined, COMPARING_MILLISECONDS);
