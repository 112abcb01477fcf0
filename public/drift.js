// Whether the vendors still send what their contracts say: fields that are new, missing or different.
// Invariant: a comparison reads all results of a vendor, so it is made when the view is opened and when somebody
// asks for it, and of one vendor after the other.
// Left out: the comparison itself, which the server makes.

import { ConnectionLost, readVendors, resultPageURL, titleOf } from "./api.js";
import { section, showIn } from "./detail.js";
import { announce, button, element, localTime, useStyles, wireText } from "./elements.js";
import { compareVendor } from "./flows-api.js";

const PERIODS = [["24h", "last 24 hours"], ["7d", "last 7 days"], ["30d", "last 30 days"], ["", "all time"]];
const KINDS = {
    missing: ["!", "warning", "missing"],
    type: ["!", "warning", "of another type"],
    enum: ["!", "warning", "another value"],
    new: ["i", "info", "not in the contract"],
    context: ["i", "info", "beside the contract, maybe your own"],
};

let view = null;

/** The content of the panel: the same nodes as long as they are shown. */
export async function driftView() {
    await useStyles("findings.css");
    const vendors = await readVendors();
    if (vendors.length === 0) throw new ConnectionLost("The vendors could not be read.");
    view ??= createView(vendors);
    if (!view.form.isConnected) view.compare();
    return { title: "Drift from the contracts", nodes: [view.form, view.place] };
}

function createView(vendors) {
    const select = (name, options) => element("select", { name }, options.map(([value, label]) =>
        element("option", { value }, label)));
    const vendor = select("vendor", [["", "all"], ...vendors.map(({ name, title }) => [name, title])]);
    const since = select("since", PERIODS);
    const form = element("form", { class: "filters" },
        element("label", {}, "Vendor ", vendor), element("label", {}, "Period ", since),
        element("button", { type: "submit" }, "Compare"));
    const place = element("div", {});
    let running = null;          // the vendors and the period that are being compared

    /** Starts over if something else is asked for; ignores a second request for the same. */
    async function compare() {
        const mine = { vendor: vendor.value, since: since.value };
        if (running?.vendor === mine.vendor && running.since === mine.since) return;
        running = mine;
        place.replaceChildren(element("p", { class: "soft" }, "Comparing…"));
        const names = mine.vendor ? [mine.vendor] : vendors.map(({ name }) => name);
        try {
            await showIn(place, async () => {
                const reports = [];
                for (const name of names) {
                    if (running !== mine) return [];
                    reports.push(await compareVendor(name, mine.since));
                }
                return running === mine && reportNodes(reports);
            }, button("Try again", compare));
        } finally {
            if (running === mine) running = null;
        }
    }

    form.addEventListener("submit", (event) => {
        event.preventDefault();
        compare();
    });
    return { form, place, compare };
}

function reportNodes(reports) {
    const compared = reports.flatMap(({ vendor, contracts }) => contracts.map((contract) => ({ vendor, ...contract })))
        .filter(({ results, unreadable }) => results + unreadable > 0);
    const skipped = reports.reduce((sum, report) => sum + report.skipped, 0);
    const count = compared.reduce((sum, { findings }) => sum + findings.length, 0);
    announce(compared.length === 0 ? "Nothing to compare" : counted(count, "difference"));
    return [
        ...compared.map(contractSection),
        compared.length === 0 && element("p", {}, "No result of this time can be compared with a contract."),
        skipped > 0 && element("p", { class: "soft" },
            `${counted(skipped, "result")} left out: masked, or without a contract.`),
    ];
}

const counted = (number, noun) => `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;

function contractSection({ vendor, contract, results, unreadable, omitted, findings }) {
    return section([titleOf(vendor), " ", element("span", { class: "mono" }, contract)],
        element("p", { class: "soft" }, `${counted(results, "result")} compared`,
            unreadable > 0 && `, ${unreadable.toLocaleString()} can’t be read`, "."),
        findings.length === 0 ? element("p", {}, "✓ As the contract says.")
            : element("ul", { class: "findings finding-groups" }, findings.map(findingItem)),
        omitted > 0 && element("p", { class: "soft" }, `${counted(omitted, "sighting")} of further fields not listed.`));
}

function findingItem({ kind, path, expected, found, results, of: among, first, last }) {
    const [sign, severity, text] = KINDS[kind] ?? ["", "info", kind];
    const link = ({ id, received_at: at }) => element("a", { href: resultPageURL(id) }, localTime(at));
    const seen = found.map(({ value, count }) => `${value} (${count.toLocaleString()})`).join(", ");
    return element("li", { class: "finding", "data-severity": severity },
        element("p", { class: "group-head" },
            element("span", { class: "sign", "aria-hidden": "true" }, sign),
            element("span", {}, element("strong", { class: "mono" }, wireText(path)), ` ${text}: `,
                `in ${results.toLocaleString()} of ${counted(among, "result")}, first at `, link(first),
                results > 1 && [", last at ", link(last)])),
        (expected.length > 0 || seen) && element("p", { class: "group-rule" },
            expected.length > 0 && ["Expected ", wireText(expected.join(", ")), ". "],
            seen && ["Found ", wireText(seen), "."]));
}
