// The page of flows: their list, the report over it, new launches, and what only some look at.
// Left out: how the page behaves, which list-page.js shares with the page of results.

import { loaded } from "./detail.js";
import { announce, button, copyButton, element } from "./elements.js";
import { createFilters } from "./filters.js";
import { createFlowDetail } from "./flow-detail.js";
import { createFlowReport, sinceOf } from "./flow-report.js";
import { listFlows, reportFlows } from "./flows-api.js";
import { STATES, flowRow, startOf } from "./flows-table.js";
import { createLaunchForm } from "./launch-form.js";
import { openRecord, pollNow, startListPage } from "./list-page.js";
import { createTable, isPlainClick } from "./table.js";

const NEW = "new";
const WAITING_MILLISECONDS = 15_000;
const HISTOGRAM_FLOWS = 200;
const TROUBLED = ["lost", "duplicate"];
const SHOWN_TROUBLED = 5;

const filters = createFilters(
    { vendor: [], inbox: [], state: STATES },
    { since: [["", "last 24 hours"], ["7d", "last 7 days"], ["30d", "last 30 days"], ["all", "all time"]] });
const detail = createFlowDetail();
const form = createLaunchForm(launched);
const report = createFlowReport(document.getElementById("report"), hrefOf);
const first = createTable(document.getElementById("first-flows"), flowRow, openRecord);
let countsLaunched = false;  // the report does

// What the panel shows besides flows, by its fragment in the address.
const views = {
    [NEW]: () => ({ title: "New launch", nodes: [form] }),
    forwarding: async () => (await loaded(import("./forwarding.js"))).forwardingView(),
    drift: async () => (await loaded(import("./drift.js"))).driftView(),
};
const isView = (id) => Object.hasOwn(views, id);

const load = (id) => (isView(id) ? views[id]() : detail.load(id));

/** A made link ends in its flow, which shows link and QR code as long as the page is open. */
function launched(minted) {
    detail.keep(minted);
    openRecord(minted.flow);
    announce("The link is made");
    pollNow();
}

async function read({ since, ...values }, cursor, limit) {
    const list = await listFlows(values, cursor, limit);
    return { records: list.flows, next_cursor: list.next_cursor };
}

/** The server may read every flow of the period for it. */
async function readOverview({ since, ...values }) {
    const begin = sinceOf(since);
    const isOfPeriod = (flow) => begin === null || startOf(flow) >= begin;
    const ofState = async (state, count) => (await listFlows({ ...values, state }, null, count)).flows;
    const [reported, returned, ...troubled] = await Promise.all([
        reportFlows({ vendor: values.vendor, inbox: values.inbox, since: begin }),
        ofState("returned", HISTOGRAM_FLOWS),
        ...(values.state ? [] : TROUBLED).map((state) => ofState(state, SHOWN_TROUBLED + 1)),
    ]);
    const latencies = returned.filter(isOfPeriod).map((flow) => flow.latency_ms).filter((latency) => latency !== null);
    const ofPeriod = troubled.map((flows) => flows.filter(isOfPeriod));
    const shownFirst = ofPeriod.flatMap((flows) => flows.slice(0, SHOWN_TROUBLED))
        .sort((one, other) => (startOf(one) < startOf(other) ? 1 : -1));
    const cut = TROUBLED.filter((_, index) => ofPeriod[index]?.length > SHOWN_TROUBLED)
        .map((state) => `${SHOWN_TROUBLED} ${state}`).join(" and ");
    return { reported, latencies, shownFirst, cut };
}

/** Lost and duplicate flows of the period are above the others; `cut` says which are only the latest. */
function showOverview({ reported, latencies, shownFirst, cut }) {
    countsLaunched = reported.vendors.some(({ launched }) => launched > 0);
    report.show(reported, latencies);
    first.show(shownFirst);
    document.getElementById("first").hidden = shownFirst.length === 0;
    const note = document.getElementById("first-note");
    note.hidden = !cut;
    note.textContent = `The latest ${cut} flows are shown; the numbers above link to all of them.`;
}

/** The list of one vendor's flows in one state, in the inbox and the time that are shown now. */
function hrefOf(vendor, state) {
    return location.pathname + filters.searchOf({ ...filters.read(location.search), vendor, state });
}

/**
 * Launched flows become lost by time alone, in the list, the panel and the report; after midnight the times of all
 * others get their day.
 */
function isDue(readAt) {
    const [then, now] = [readAt, Date.now()].map((time) => new Date(time).toDateString());
    return then !== now || (Date.now() - readAt > WAITING_MILLISECONDS
        && (countsLaunched || document.querySelector(".badge[data-state=launched]") !== null));
}

function emptyState(values, nextCursor, clear) {
    const isFiltered = filters.isFiltered(values);
    const command = `landfall trip flux --server ${location.origin}`;
    if (isFiltered && nextCursor) {
        return [element("h2", {}, "None of the latest flows matches these filters"),
            element("p", {}, "Older ones may.")];
    }
    return [
        element("h2", {}, isFiltered ? "No flow matches these filters" : "Nothing was launched yet"),
        !isFiltered && element("p", {}, "A flow is a launch and the callbacks that answer it. "
            + "Make a link with New launch, or play a whole round trip:"),
        !isFiltered && element("div", { class: "command" },
            element("code", { class: "wire" }, command), copyButton("Copy", () => command)),
        element("p", { class: "actions" },
            isFiltered ? button("Clear filters", clear) : button("New launch", () => openRecord(NEW))),
    ].filter(Boolean);
}

document.getElementById("views").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    openRecord(link.hash.slice(1));
});

startListPage({
    noun: "flow",
    nounOf: (id) => (isView(id) ? id : "flow"),
    plural: "flows",
    filters,
    table: document.getElementById("flows"),
    makeRow: flowRow,
    load,
    read,
    readOverview,
    showOverview,
    isDue,
    emptyState,
});
