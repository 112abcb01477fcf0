// The row of a flow in the table.
// Left out: how rows come and go, see table.js.

import { titleOf } from "./api.js";
import { badge, element, localTime, words } from "./elements.js";
import { cell } from "./table.js";

export const STATES = ["launched", "returned", "lost", "orphan", "duplicate"];

export function flowRow(flow) {
    const link = element("a", { href: `#${flow.id}` }, localTime(startOf(flow)));
    const contract = flow.contract && flow.contract !== flow.vendor
        ? element("span", { class: "contract" }, flow.contract) : null;
    return element("tr", { role: "row", "data-id": flow.id },
        element("th", { role: "rowheader", scope: "row", class: "col-time" }, link),
        cell("vendor", flow.vendor ? titleOf(flow.vendor) : "–", " ", contract),
        cell("inbox", element("span", { class: "inbox", title: flow.inbox }, flow.inbox ?? "–")),
        cell("state", stateBadge(flow)),
        cell("took", flow.latency_ms === null ? nothing() : duration(flow.latency_ms)),
        cell("answer", answerOf(flow)));
}

/** When it was launched; without a known launch, when its link was made, which is in its id. */
export function startOf({ launched_at: launchedAt, id }) {
    const milliseconds = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
    return launchedAt ?? new Date(milliseconds).toISOString();
}

const SIGNS = { returned: "✓", lost: "✗", orphan: "?", duplicate: "!", launched: "…" };

/** Good only where what came back is no error. */
export function stateBadge({ state, outcome }) {
    return element("span", { class: "badge", "data-state": state, "data-outcome": outcome },
        element("span", { "aria-hidden": "true" }, SIGNS[state] ?? "", " "), words(state));
}

/** What came back: the outcome, the verdict unless all is well, and how often where not once. */
function answerOf({ outcome, verdict, callbacks }) {
    const parts = [
        outcome && element("span", { "data-outcome": outcome }, words(outcome)),
        verdict && verdict !== "decoded" && badge(verdict),
        callbacks > 1 && element("span", { class: "soft" }, `${callbacks} callbacks`),
    ].filter(Boolean);
    return parts.length === 0 ? nothing() : parts.map((part) => [part, " "]);
}

const nothing = () => element("span", { class: "none" }, "–");

/** `12 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`, `3 days`; a dash for nothing. */
export function duration(milliseconds) {
    if (milliseconds === null || milliseconds === undefined) return "–";
    if (milliseconds < 1_000) return `${milliseconds} ms`;
    if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1_000);
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 2_880) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return `${Math.round(minutes / 1_440)} days`;
}
