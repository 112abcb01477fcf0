// Puts the page together: address, list, live refresh and detail.
// Invariant: the address decides what is shown (`?filters#result`); every change goes through it, so
// links, reloads and the back button agree. An answer to a superseded request is dropped.
// Left out: how things look; see results-table.js, result-detail.js and page.css.

import { ConnectionLost, Problem, listInboxes, listResults } from "./api.js";
import { announce, button, clockTime, copyButton, element, problemNotice } from "./elements.js";
import { createFilterBar, isFiltered, readFilters, searchOf } from "./filters.js";
import { createResultDetail } from "./result-detail.js";
import { createResultsTable } from "./results-table.js";

const POLL_MILLISECONDS = 3_000;
const POLL_MAX_MILLISECONDS = 30_000;
const KEPT_RECORDS = 200;
const INBOX = /^[A-Za-z0-9._-]{1,64}$/;

const part = Object.fromEntries([
    "top", "list", "filters", "problem", "empty", "results", "more", "detail",
    "refresh", "refresh-text", "refresh-now", "newer", "older", "close",
].map((id) => [id, document.getElementById(id)]));
const narrow = matchMedia("(max-width: 67.99rem)");

const filterBar = createFilterBar(part.filters, changeFilters);
const table = createResultsTable(part.results, openResult);
const detail = createResultDetail(part.detail);

let filters = readFilters(location.search);
let records = [];
let nextCursor = null;
let showsOlder = false;      // more than the first page is on screen: polling only looks, never changes it
let openId = "";
let seenInboxes = "";        // what /inboxes answered before the list was last read
let generation = 0;          // raised by each reading of the list, so that late answers are dropped
let failures = 0;
let shownError = "";
let lastRefresh = null;
let timer = 0;

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
    return location.pathname + searchOf(filters) + (id ? `#${encodeURIComponent(id)}` : "");
}

function changeFilters(changed) {
    filters = changed;
    history.pushState(null, "", addressOf(openId));
    filterBar.show(filters);
    readList({ discard: true });
}

// The first result opened adds a step to the history, the next ones replace it: back always closes.
function openResult(id, options) {
    const isFirst = openId === "";
    const state = isFirst ? { opened: true } : history.state;
    history[isFirst ? "pushState" : "replaceState"](state, "", addressOf(id));
    showDetail(id, options);
}

function closeResult() {
    if (history.state?.opened) {
        history.back();
    } else {
        history.replaceState(null, "", addressOf(""));
        showDetail("");
    }
}

function followAddress() {
    const wanted = readFilters(location.search);
    if (searchOf(wanted) !== searchOf(filters)) {
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
        detail.hide();
        if (!table.focus(closed)) part["refresh-now"].focus({ preventScroll: true });
    }
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
    openResult(record.id, { keepFocus: true });
    if (pressed.disabled) detail.focus();
}

// ---- List ------------------------------------------------------------------------------------------

/**
 * Reads the first page anew: at start, after a change of filters, or when asked to. The inboxes come
 * first, so that whatever lands between the two requests counts as a change at the next poll.
 * `discard` drops the rows on screen should reading fail, as they answer another question.
 */
async function readList({ discard = false } = {}) {
    const mine = ++generation;
    showsOlder = false;
    part.list.setAttribute("aria-busy", "true");
    try {
        const inboxes = await listInboxes();
        const page = await listResults(filters);
        if (mine !== generation) return;
        filterBar.showInboxes(inboxes);
        seenInboxes = JSON.stringify(inboxes);
        records = page.results;
        nextCursor = page.next_cursor;
        showList();
        succeeded();
    } catch (error) {
        if (mine !== generation) return;
        if (discard) discardList();
        failed(error);
    } finally {
        if (mine === generation) part.list.removeAttribute("aria-busy");
        schedule();
    }
}

async function readOlder() {
    if (part.list.hasAttribute("aria-busy")) return;
    const mine = ++generation;
    part.list.setAttribute("aria-busy", "true");
    try {
        const page = await listResults(filters, nextCursor);
        if (mine !== generation) return;
        const firstNew = records.length;
        records = [...records, ...page.results];
        nextCursor = page.next_cursor;
        showsOlder = true;
        showList();
        succeeded();
        announce(`${page.results.length} older results loaded`);
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
    if (records.length === 0) part.empty.replaceChildren(...emptyState());
}

function emptyState() {
    const onlyInbox = searchOf(filters) === searchOf({ ...readFilters(""), inbox: filters.inbox });
    const mayTry = onlyInbox && (!filters.inbox || INBOX.test(filters.inbox));
    const inbox = filters.inbox ? `/${filters.inbox}` : "";
    const command = `curl "${location.origin}/callbacks/welltory${inbox}?stress=0.32&energy=0.75"`;
    return [
        element("h2", {}, isFiltered(filters) ? "No result matches these filters" : "Nothing has landed yet"),
        mayTry && element("p", {}, "Send a callback; it shows up here by itself:"),
        mayTry && element("div", { class: "command" },
            element("code", { class: "wire" }, command), copyButton("Copy", () => command)),
        isFiltered(filters) && element("p", { class: "actions" },
            button("Clear filters", () => changeFilters(readFilters("")))),
    ].filter(Boolean);
}

// ---- Live refresh ----------------------------------------------------------------------------------

// The small list of inboxes tells whether anything changed; only then are results read again.
async function poll() {
    const mine = generation;
    try {
        const inboxes = await listInboxes();
        if (mine !== generation) return;
        const seen = JSON.stringify(inboxes);
        const changed = seen !== seenInboxes;
        if (changed) filterBar.showInboxes(inboxes);
        if (changed && !showsOlder) {
            await readChanges(mine);
            if (mine !== generation) return;
            seenInboxes = seen;
        }
        succeeded({ waiting: changed && showsOlder });
    } catch (error) {
        if (mine === generation) failed(error);
    } finally {
        schedule();
    }
}

async function readChanges(mine) {
    const page = await listResults(filters);
    if (mine !== generation) return;
    const known = new Set(records.map((record) => record.id));
    const arrived = page.results.filter((record) => !known.has(record.id)).length;
    merge(page);
    showList({ highlightNew: true });
    if (arrived > 0) announce(arrived === 1 ? "1 new result" : `${arrived} new results`);
}

// Rows that the new first page pushed out stay where the reader left them, up to a limit.
function merge(page) {
    const last = page.results.at(-1);
    const overlap = last ? records.findIndex((record) => record.id === last.id) : -1;
    const tail = overlap < 0 || !page.next_cursor ? [] : records.slice(overlap + 1);
    const keep = tail.length > 0 && page.results.length + tail.length <= KEPT_RECORDS;
    records = keep ? [...page.results, ...tail] : page.results;
    if (!keep) nextCursor = page.next_cursor;
}

function schedule() {
    clearTimeout(timer);
    if (document.hidden) return;
    timer = setTimeout(poll, Math.min(POLL_MILLISECONDS * 2 ** failures, POLL_MAX_MILLISECONDS));
}

function pollNow() {
    clearTimeout(timer);
    if (!document.hidden) poll();
}

function succeeded({ waiting = false } = {}) {
    if (failures > 0) announce("Connected again");
    failures = 0;
    lastRefresh = new Date();
    shownError = "";
    part.problem.hidden = true;
    const text = waiting ? "New results wait" : showsOlder ? "Paused" : "Live";
    showRefresh(showsOlder ? "paused" : "live", text);
}

function failed(error) {
    if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
    failures += 1;
    seenInboxes = "";
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

addEventListener("popstate", followAddress);
addEventListener("hashchange", followAddress);
addEventListener("online", pollNow);
document.addEventListener("visibilitychange", pollNow);
narrow.addEventListener("change", coverList);
document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || openId === "" || event.defaultPrevented) return;
    event.preventDefault();
    closeResult();
});
part.close.addEventListener("click", closeResult);
part.newer.addEventListener("click", () => openNeighbour(-1, part.newer));
part.older.addEventListener("click", () => openNeighbour(1, part.older));
part.more.addEventListener("click", readOlder);
part["refresh-now"].addEventListener("click", () => readList());

filterBar.show(filters);
readList();
if (idInAddress()) showDetail(idInAddress());
