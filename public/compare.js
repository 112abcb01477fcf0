// Two results side by side: only what differs, of the request as far as it wasn't decoded.
// Invariant: at most DIFFERENCES rows; values are compared as they were written; what is erased leaves the screen.

import { ConnectionLost, Problem, listResults } from "./api.js";
import { notice, readIn, section, showIn } from "./detail.js";
import { button, element, localTime, shorten, useStyles, verdictText, visible, words } from "./elements.js";
import { slimRecord } from "./records.js";
import { fetchResult } from "./result-api.js";
import { isBranch, prettyJSON } from "./written-json.js";

const CANDIDATES = 20;
const DIFFERENCES = 200;
const VALUE_LENGTH = 300;
const SAME_LENGTH = 40;
const CHECK_MILLISECONDS = 4_000;

/**
 * A section with a choice of other results of the vendor, the last good one first. `closed` is called when somebody has
 * closed it.
 */
export async function comparison(record, closed) {
    await useStyles("compare.css");
    const place = element("div", {});
    try {
        const others = await candidates(record);
        if (others.length === 0) {
            return section("Compare", element("p", { class: "soft" }, "There is no other result of this vendor."));
        }
        const choice = element("select", {}, others.map((other) =>
            element("option", { value: other.id }, labelOf(other))));
        const show = () => readIn(place, async () => differences(record, await fetchResult(choice.value)));
        choice.addEventListener("change", show);
        await show();
        const part = section("Compare",
            element("label", { class: "compare-choice" }, "With ", choice),
            place,
            element("p", { class: "actions" }, button("Close the comparison", () => {
                part.remove();
                closed();
            })));
        const timer = setInterval(() => {
            if (!part.isConnected) clearInterval(timer);
            else if (!document.hidden) dropErased(record, choice, place);
        }, CHECK_MILLISECONDS);
        return part;
    } catch (error) {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
        return notice(error);
    }
}

/** Takes away the other results that were erased, and the differences from the chosen one. */
async function dropErased({ kind }, choice, place) {
    const options = [...choice.options];
    if (options.length === 0) return;
    const ids = options.map(({ value }) => `id:${value}`).join(" OR ");
    const kept = new Set();
    try {
        let cursor;
        do {
            const page = await listResults(`kind:${kind} (${ids})`, { cursor, limit: options.length, fields: "id" });
            for (const { id } of page.results) kept.add(id);
            cursor = page.next_cursor;
        } while (cursor);
    } catch {
        return;     // It can't be asked now.
    }
    const isChosenErased = choice.selectedIndex >= 0 && !kept.has(choice.value);
    for (const option of options) {
        if (!kept.has(option.value)) option.remove();
    }
    if (!isChosenErased) return;
    choice.selectedIndex = -1;
    const spoken = "The other result was erased. Nothing of it is kept.";
    showIn(place, () => ({ nodes: element("p", {}, spoken), spoken }));
}

async function candidates({ id, kind, vendor }) {
    const others = `kind:${kind} vendor:${vendor} NOT id:${id}`;
    const [good, recent] = await Promise.all([
        listResults(`${others} verdict:decoded`, { limit: 1 }),
        listResults(others, { limit: CANDIDATES }),
    ]);
    const first = good.results.map((result) => ({ ...result, isGood: true }));
    return [...first, ...recent.results.filter((result) => result.id !== first[0]?.id)];
}

/** Results of one second differ in the milliseconds. */
function labelOf(other) {
    const { received_at: receivedAt, verdict, outcome, isGood } = other;
    const text = [localTime(receivedAt, { precise: true }).textContent, verdictText({ verdict }), outcome && words(outcome),
        slimRecord(other).summary];
    return (isGood ? "last good one: " : "") + shorten(text.filter(Boolean).join(" · "), 100);
}

function differences(one, other) {
    const records = [one, other];
    const isDecoded = records.every(({ verdict, result }) => verdict === "decoded" && result !== null);
    let leaves = records.map((record) => leavesOf(record, { isRaw: !isDecoded }));
    // What was decoded may leave out a part of the request.
    if (isDecoded && namesIn(leaves).length === 0) leaves = records.map((record) => leavesOf(record, { isRaw: true }));
    const [left, right] = leaves;
    const names = namesIn(leaves);
    if (names.length === 0) {
        const same = "They differ only in when they arrived.";
        return { nodes: element("p", {}, same), spoken: same };
    }
    const spoken = names.length === 1 ? "1 difference" : `${names.length} differences`;
    const table = element("table", { class: "differences" },
        element("caption", {}, names.length > DIFFERENCES ? `The first ${DIFFERENCES} of ${spoken}` : spoken),
        element("thead", {}, element("tr", {}, ["Where", "This one", "The other"].map((name) =>
            element("th", { scope: "col" }, name)))),
        element("tbody", {}, names.slice(0, DIFFERENCES).map((name) => element("tr", {},
            element("th", { scope: "row", class: "mono wire" }, visible(name)),
            value(left.get(name), right.get(name)), value(right.get(name), left.get(name))))));
    return { nodes: table, spoken };
}

/** A value as it is shown beside the other. A long one begins shortly before the first difference. */
function value(text, other = "") {
    if (text === undefined) return element("td", {}, element("span", { class: "soft" }, "absent"));
    let start = 0;
    if (text.length > VALUE_LENGTH) {
        while (start < text.length && text[start] === other[start]) start += 1;
        start = Math.max(0, start - SAME_LENGTH);
        if (/[\uDC00-\uDFFF]/.test(text[start])) start -= 1;
    }
    return element("td", { class: "mono wire" },
        start > 0 && "…", shorten(visible(text.slice(Math.max(0, start))), VALUE_LENGTH));
}

/** The places whose values differ. */
const namesIn = ([left, right]) => [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => left.get(name) !== right.get(name));

/** Every scalar of a record by its place. `isRaw`: query and body as they came, too. */
function leavesOf(record, { isRaw }) {
    const leaves = new Map();
    leaves.set("verdict", verdictText(record));
    for (const name of ["outcome", "contract", "inbox"]) leaves.set(name, String(record[name]));
    leaves.set("request", `${record.request.method} ${record.request.target.split("?")[0]}`);
    for (const [name, text] of record.request.headers) add(text, `header ${name.toLowerCase()}`, leaves);
    collect(record.result, "value", leaves);
    if (isRaw) collectRaw(record.request, leaves);
    return leaves;
}

function collectRaw({ target, body }, leaves) {
    const pairs = target.split("?").slice(1).join("?").split("&").filter(Boolean);
    for (const pair of pairs) {
        const [name, ...value] = pair.split("=");
        add(value.join("="), `query ${name}`, leaves);
    }
    if (body) leaves.set("body", body.data);
}

/** What is there more than once is one value. */
function add(text, place, leaves) {
    leaves.set(place, leaves.has(place) ? `${leaves.get(place)} & ${text}` : text);
}

function collect(node, path, leaves) {
    if (!isBranch(node) || Object.keys(node).length === 0) {
        leaves.set(path, prettyJSON(node));
        return;
    }
    for (const [name, item] of Object.entries(node)) collect(item, `${path}/${name}`, leaves);
}
