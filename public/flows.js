// The page of flows: their list, the report over it, and new launches.
// Left out: how the page behaves, which list-page.js shares with the page of results.

import { listFlows, reportFlows } from "./api.js";
import { announce, button, copyButton, element } from "./elements.js";
import { createFilters } from "./filters.js";
import { createFlowDetail } from "./flow-detail.js";
import { createFlowReport, sinceOf } from "./flow-report.js";
import { STATES, flowRow } from "./flows-table.js";
import { createLaunchForm } from "./launch-form.js";
import { openRecord, pollNow, startListPage } from "./list-page.js";

const NEW = "new";
const WAITING_MILLISECONDS = 15_000;
const HISTOGRAM_FLOWS = 200;

const filters = createFilters(
    { vendor: [], inbox: [], state: STATES },
    { since: [["", "last 24 hours"], ["7d", "last 7 days"], ["30d", "last 30 days"], ["all", "all time"]] });
const detail = createFlowDetail();
const form = createLaunchForm(launched);
const report = createFlowReport(document.getElementById("report"), hrefOf);

function load(id) {
    return id === NEW ? { title: "New launch", nodes: [form] } : detail.load(id);
}

/** A made link ends in its flow, which shows link and QR code as long as the page is open. */
function launched(minted) {
    detail.keep(minted);
    openRecord(minted.flow);
    announce("The link is made");
    pollNow();
}

async function read({ since, ...values }, cursor) {
    const [{ flows, next_cursor }, reported, returned] = await Promise.all([
        listFlows(values, cursor),
        cursor ? null : reportFlows(sinceOf(since)),
        cursor ? null : listFlows({ vendor: values.vendor, inbox: values.inbox, state: "returned" }, null, HISTOGRAM_FLOWS),
    ]);
    const latencies = returned?.flows.map((flow) => flow.latency_ms).filter((latency) => latency !== null);
    return { records: flows, next_cursor, reported, latencies };
}

/** The list of one vendor's flows in one state, in the inbox and the time that are shown now. */
function hrefOf(vendor, state) {
    return location.pathname + filters.searchOf({ ...filters.read(location.search), vendor, state });
}

/** Flows that wait become lost by time alone. */
function isDue(flows, readAt) {
    return flows.some((flow) => flow.state === "launched") && Date.now() - readAt > WAITING_MILLISECONDS;
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

document.getElementById("new-launch").addEventListener("click", (event) => {
    event.preventDefault();
    openRecord(NEW);
});

startListPage({
    noun: "flow",
    plural: "flows",
    filters,
    kinds: () => "any",
    table: document.getElementById("flows"),
    makeRow: flowRow,
    load,
    read,
    showPage: (page) => report.show(page.reported, page.latencies),
    isDue,
    emptyState,
});
