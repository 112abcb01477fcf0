// What the pages of results and of flows have in common: address, list, live refresh and detail.
// Invariant: the address decides what is shown (`?filters#id`); every change goes through it, so
// links, reloads and the back button agree. An answer to a superseded request is dropped.
// Left out: what the list is of, see page.js and flows.js; how things look, see page.css.

import { ConnectionLost, PAGE_SIZE, Problem, asText, get, listInboxes, readVendors } from "./api.js";
import { createDetail } from "./detail.js";
import { announce, button, clockTime, element, problemNotice } from "./elements.js";
import { listenToKeys } from "./keys.js";
import { createTable } from "./table.js";

const POLL_MILLISECONDS = 3_000;
const POLL_MAX_MILLISECONDS = 30_000;
// After a read, polls wait this many times as long as it took, so that one open page doesn't keep a large store busy.
const REST = 10;
const KEPT_RECORDS = 200;

const part = Object.fromEntries([
    "top", "list", "problem", "empty", "more", "detail",
    "refresh", "refresh-text", "refresh-now", "newer", "older", "close",
].map((id) => [id, document.getElementById(id)]));
const narrow = matchMedia("(max-width: 67.99rem)");

let source;                  // what the list is of, see startListPage
let filterBar;
let table;
let detail;
let filters = {};
let records = [];
let nextCursor = null;
let showsOlder = false;      // more than the first page is on screen: polling only looks, never changes it
let hasNews = false;         // records came while polling only looked
let openId = "";
let seen = "";               // the last answer of /stats that was acted on
let generation = 0;          // raised by each reading of the list, so that late answers are dropped
let failures = 0;
let shownError = "";
let lastRefresh = null;
let listTitle = "";
let lastRead = 0;            // when the list itself was read, in milliseconds
let timer = 0;
let listRest = 0;            // how long polls wait after they read the list, in milliseconds
let overviewRestEnd = 0;     // when a poll may read the overview again, by performance.now()
let isOverviewOld = false;   // something changed since it was read
let hasVendors = false;      // the filter has the vendors, and rows have their names for people

// ---- Address ---------------------------------------------------------------------------------------

const idInAddress = () => decodeFragment(location.hash.slice(1));

function decodeFragment(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function addressOf(id) {
    return location.pathname + source.filters.searchOf(filters) + (id ? `#${encodeURIComponent(id)}` : "");
}

function changeFilters(changed) {
    filters = changed;
    history.pushState(null, "", addressOf(openId));
    filterBar.show(filters);
    readList({ discard: true });
}

// The first record opened adds a step to the history, the next ones replace it: back always closes.
export function openRecord(id, options) {
    const isFirst = openId === "";
    const state = isFirst ? { opened: true } : history.state;
    history[isFirst ? "pushState" : "replaceState"](state, "", addressOf(id));
    showDetail(id, options);
}

function closeRecord() {
    if (history.state?.opened) {
        history.back();
    } else {
        history.replaceState(null, "", addressOf(""));
        showDetail("");
    }
}

function followAddress() {
    const wanted = source.filters.read(location.search);
    if (source.filters.searchOf(wanted) !== source.filters.searchOf(filters)) {
        filters = wanted;
        filterBar.show(filters);
        readList({ discard: true });
    }
    if (idInAddress() !== openId) showDetail(idInAddress());
}

// ---- Detail ----------------------------------------------------------------------------------------

function showDetail(id, { keepFocus = false } = {}) {
    const closed = openId;
    openId = id;
    table.mark(id);
    table.holdStill(id || closed, () => document.documentElement.toggleAttribute("data-open", id !== ""));
    coverList();
    updateNeighbours();
    if (id) {
        detail.show(id);
        if (!keepFocus) detail.focus();
    } else {
        document.title = listTitle;
        detail.hide();
        focusLinkTo(closed);
    }
}

/** A link to what is closed now: that of a view, or of a row. Some flows are in two tables. */
function focusLinkTo(id) {
    const links = [...part.list.querySelectorAll(`a[href="#${CSS.escape(id)}"]`)];
    const link = links.find(isInView) ?? links[0];
    if (link) link.focus();
    else part["refresh-now"].focus({ preventScroll: true });
}

function isInView(node) {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}

// On narrow screens the detail lies over everything else, which must then be out of reach.
function coverList() {
    const covered = openId !== "" && narrow.matches;
    part.list.inert = covered;
    part.top.inert = covered;
}

function neighbour(step) {
    const index = records.findIndex((record) => record.id === openId);
    return index < 0 ? undefined : records[index + step];
}

function updateNeighbours() {
    part.newer.disabled = !neighbour(-1);
    part.older.disabled = !neighbour(1);
}

function openNeighbour(step, pressed) {
    const record = neighbour(step);
    if (!record) return;
    openRecord(record.id, { keepFocus: true });
    table.reveal(record.id);
    if (pressed.disabled) detail.focus();
}

// ---- List ------------------------------------------------------------------------------------------

/** A text that changes with every record that comes, is erased or is decoded again. */
const readStatistics = () => get("/stats?kind=any", asText);

/** The vendors are read once, and again by each poll while they couldn't be; whether they are there. */
async function showVendors() {
    const vendors = await readVendors();
    hasVendors = vendors.length > 0;
    filterBar.showVendors(vendors);
    return hasVendors;
}

/**
 * Reads the first page again: at start, after a change of filters, or when asked to. The statistics come
 * first, so that whatever lands between the two requests counts as a change at the next poll.
 * `discard` drops the rows on screen should reading fail, as they answer another question.
 */
async function readList({ discard = false } = {}) {
    const mine = ++generation;
    showsOlder = false;
    hasNews = false;
    part.list.setAttribute("aria-busy", "true");
    const named = showVendors();
    try {
        const statistics = await readStatistics();
        const inboxes = await listInboxes();
        const page = await source.read(filters);
        const overview = await readOverview();
        await named;
        if (mine !== generation) return;
        filterBar.showInboxes(inboxes);
        seen = statistics;
        records = page.records;
        nextCursor = page.next_cursor;
        lastRead = Date.now();
        listRest = 0;
        source.showOverview(overview);
        isOverviewOld = false;
        showList();
        succeeded();
        detail.refresh();
    } catch (error) {
        if (mine !== generation) return;
        if (discard) discardList();
        failed(error);
    } finally {
        if (mine === generation) part.list.removeAttribute("aria-busy");
        schedule();
    }
}

/** What is above the list, which costs the server most. */
async function readOverview() {
    const start = performance.now();
    try {
        return await source.readOverview(filters);
    } finally {
        const end = performance.now();
        overviewRestEnd = end + REST * (end - start);
    }
}

async function readOlder() {
    if (part.list.hasAttribute("aria-busy")) return;
    const mine = ++generation;
    part.list.setAttribute("aria-busy", "true");
    try {
        const page = await source.read(filters, nextCursor);
        if (mine !== generation) return;
        const firstNew = records.length;
        records = [...records, ...page.records];
        nextCursor = page.next_cursor;
        showsOlder = true;
        showList();
        succeeded();
        announce(`${page.records.length} older ${source.plural} loaded`);
        if (!nextCursor) table.focusRow(Math.min(firstNew, records.length - 1));
    } catch (error) {
        if (mine === generation) failed(error);
    } finally {
        if (mine === generation) part.list.removeAttribute("aria-busy");
    }
}

function discardList() {
    records = [];
    nextCursor = null;
    showList();
    part.empty.hidden = true;
}

function showList(options) {
    table.show(records, options);
    part.more.hidden = nextCursor === null;
    updateNeighbours();
    part.empty.hidden = records.length > 0;
    if (records.length === 0) {
        const clear = () => changeFilters(source.filters.cleared(filters));
        part.empty.replaceChildren(...source.emptyState(filters, nextCursor, clear));
    }
}

// ---- Live refresh ----------------------------------------------------------------------------------

// The statistics say whether anything changed; only then are inboxes and list read again.
async function poll() {
    const mine = generation;
    try {
        const statistics = await readStatistics();
        const changed = statistics !== seen;
        const inboxes = changed && await listInboxes();
        const areNamed = !hasVendors && await showVendors();
        if (mine !== generation) return;
        if (changed) filterBar.showInboxes(inboxes);
        const isDue = changed || areNamed || source.isDue(lastRead);
        if (isDue) await readChanges(mine);
        if (mine !== generation) return;
        seen = statistics;
        if (isDue) detail.refresh();
        isOverviewOld ||= isDue;
        if (isOverviewOld && !showsOlder && performance.now() >= overviewRestEnd) await refreshOverview(mine);
        if (mine !== generation) return;
        succeeded();
    } catch (error) {
        if (mine === generation) failed(error);
    } finally {
        schedule();
    }
}

async function refreshOverview(mine) {
    const overview = await readOverview();
    if (mine !== generation) return;
    source.showOverview(overview);
    isOverviewOld = false;
}

async function readChanges(mine) {
    const start = performance.now();
    const page = showsOlder ? await source.read(filters) : await readShown();
    if (mine !== generation) return;
    listRest = REST * (performance.now() - start);
    lastRead = Date.now();
    const arrived = countNew(page);
    if (showsOlder) {
        hasNews ||= arrived > 0;
        return;
    }
    records = page.records;
    nextCursor = page.next_cursor;
    showList({ highlightNew: true });
    if (arrived > 0) announce(arrived === 1 ? `1 new ${source.noun}` : `${arrived} new ${source.plural}`);
}

/** The newest records: as many as are on screen, plus those that arrived since, up to a limit. */
async function readShown() {
    const length = (count) => Math.min(Math.max(count, PAGE_SIZE), KEPT_RECORDS);
    const shown = length(records.length);
    const page = await source.read(filters, null, shown);
    const wanted = length(records.length + countNew(page));
    return page.next_cursor && wanted > shown ? source.read(filters, null, wanted) : page;
}

/** Older ones that came in at the end, as others went away, aren't new. */
function countNew(page) {
    const ids = new Set(records.map(({ id }) => id));
    const areKnown = page.records.map(({ id }) => ids.has(id));
    const last = areKnown.lastIndexOf(true);
    return areKnown.filter((isKnown, index) => !isKnown && (index < last || last < 0)).length;
}

function schedule() {
    clearTimeout(timer);
    if (document.hidden) return;
    const wanted = Math.max(POLL_MILLISECONDS * 2 ** failures, listRest);
    timer = setTimeout(poll, Math.min(wanted, POLL_MAX_MILLISECONDS));
}

export function pollNow() {
    clearTimeout(timer);
    if (!document.hidden) poll();
}

/** While older rows are shown, none is replaced: the time of the refresh stays. */
function succeeded() {
    if (failures > 0) announce("Connected again");
    failures = 0;
    if (!showsOlder) lastRefresh = new Date();
    shownError = "";
    part.problem.hidden = true;
    const text = hasNews ? `New ${source.plural} wait` : showsOlder ? "Paused" : "Live";
    showRefresh(showsOlder ? "paused" : "live", text);
}

function failed(error) {
    if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
    failures += 1;
    seen = "";
    showRefresh("lost", error instanceof Problem ? "Not refreshed" : "Connection lost");
    showError(error);
}

// The same error again leaves the notice, and the focus in it, alone.
function showError(error) {
    const key = `${error.title} ${error.detail}`;
    if (shownError === key) return;
    shownError = key;
    part.problem.replaceChildren(...problemNotice(error, button("Try again", () => readList())));
    part.problem.hidden = false;
    announce(error.title ?? "Connection lost");
}

function showRefresh(state, text) {
    part.refresh.dataset.state = state;
    const since = lastRefresh
        ? [element("span", { class: "roomy" }, "refreshed "), clockTime(lastRefresh)] : "no answer yet";
    part["refresh-text"].replaceChildren(element("span", {}, text), element("span", {}, since));
}

// ---- Start -----------------------------------------------------------------------------------------

function listen() {
    history.scrollRestoration = "manual";
    addEventListener("popstate", followAddress);
    addEventListener("hashchange", followAddress);
    addEventListener("online", pollNow);
    document.addEventListener("visibilitychange", pollNow);
    narrow.addEventListener("change", coverList);
    listenToKeys({
        "j": [`Next ${source.noun}`, () => openNeighbour(1, part.older)],
        "k": [`Previous ${source.noun}`, () => openNeighbour(-1, part.newer)],
        "Escape": [`Close the ${source.noun}`, () => openId && closeRecord()],
    });
    part.close.addEventListener("click", closeRecord);
    part.newer.addEventListener("click", () => openNeighbour(-1, part.newer));
    part.older.addEventListener("click", () => openNeighbour(1, part.older));
    part.more.addEventListener("click", readOlder);
    part["refresh-now"].addEventListener("click", () => readList());
}

/**
 * Starts the page, once. `options` says what its list is of:
 *
 * - `noun`, `plural`: what one record and several are called
 * - `nounOf(id)`: what is called so that the detail shows
 * - `filters`: see filters.js
 * - `table` and `makeRow`: the element, and what makes a row of a record
 * - `load`: what the detail shows of an id, see detail.js
 * - `read(filters, cursor, limit)`: a page { records, next_cursor }
 * - `readOverview(filters)`, `showOverview(overview)`: what is above the list
 * - `isDue(readAt)`: whether what is shown may have changed by time alone since then
 * - `emptyState(filters, nextCursor, clear)`: the nodes in the place of rows
 */
export function startListPage(options) {
    source = options;
    filterBar = source.filters.createBar(part.list, changeFilters);
    table = createTable(source.table, source.makeRow, openRecord);
    listTitle = document.title;
    detail = createDetail(part.detail, source.nounOf, source.load, {
        shown({ title }) {
            if (openId) document.title = `${title} · Landfall`;
        },
    });
    filters = source.filters.read(location.search);
    listen();
    filterBar.show(filters);
    readList();
    if (idInAddress()) showDetail(idInAddress());
}
