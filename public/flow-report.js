// The report over the list: what was lost, came unasked or twice, and how long it took, by vendor.
// Left out: reading it, and its period, which is in the page's address.

import { serverNow, titleOf } from "./api.js";
import { element } from "./elements.js";
import { histogram } from "./flow-histogram.js";
import { duration } from "./flows-table.js";
import { cell } from "./table.js";

const DAY_MILLISECONDS = 86_400_000;
const COUNTED = ["lost", "orphan", "duplicate"];
const SHARES = ["p50", "p90", "p99"];

/** The time that `7d` begins at, a day by default, null for all; what it doesn't know stays as it is. */
export function sinceOf(period) {
    if (period === "all") return null;
    const days = period === "" ? 1 : Number(/^(\d{1,4})d$/.exec(period)?.[1] ?? NaN);
    return Number.isNaN(days) ? period : new Date(serverNow() - days * DAY_MILLISECONDS).toISOString();
}

/** `hrefOf(vendor, state)` is where the flows are that a number counts. */
export function createFlowReport(section, hrefOf) {
    const table = section.querySelector("table");
    const place = section.querySelector("#histogram");
    const note = section.querySelector("#report-note");

    function row(line) {
        return element("tr", { role: "row" },
            element("th", { role: "rowheader", scope: "row" }, titleOf(line.vendor || null)),
            labelled("count", line.flows === 1 ? "flow" : "flows", String(line.flows)),
            COUNTED.map((state) => labelled("count", state, count(line, state))),
            SHARES.map((share) => labelled("share", share, timeOf(line, share))));
    }

    function count(line, state) {
        const { vendor, [state]: number } = line;
        if (number === 0) return element("span", { class: "none" }, "0");
        if (!vendor) return String(number);
        return element("a", { href: hrefOf(vendor, state), "data-state": state,
            "aria-label": `${number} ${state}, ${titleOf(vendor)}` }, String(number));
    }

    function timeOf(line, share) {
        const milliseconds = line[`latency_${share}_ms`];
        return milliseconds === null ? element("span", { class: "none" }, "–") : duration(milliseconds);
    }

    /** A link that has the focus keeps it, or gives it to the choice of the period where its flows are no more. */
    function replaceRows(rows) {
        const focused = table.contains(document.activeElement) && document.activeElement;
        table.tBodies[0].replaceChildren(...rows);
        if (!focused) return;
        const same = [...table.querySelectorAll("a")].find(({ href }) => href === focused.href);
        (same ?? section.querySelector("select")).focus({ preventScroll: true });
    }

    return {
        show({ vendors, flows, exact }, latencies) {
            const drawn = histogram(latencies);
            if (drawn === null) place.replaceChildren();
            else if (!place.firstElementChild?.isEqualNode(drawn)) place.replaceChildren(drawn);
            const rows = vendors.map(row);
            const isSame = table.tBodies[0].rows.length === rows.length
                && rows.every((other, index) => other.isEqualNode(table.tBodies[0].rows[index]));
            if (!isSame) replaceRows(rows);
            table.hidden = rows.length === 0;
            note.hidden = exact && rows.length > 0;
            note.textContent = exact ? "No flow in this time."
                : `${rows.length > 0 ? "Only" : "None of"} the newest ${flows.toLocaleString()} flows.`;
        },
    };
}

// The label is shown where the table has no room for its head.
function labelled(name, label, content) {
    const node = cell(name, content);
    node.dataset.label = label;
    return node;
}
