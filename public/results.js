// The page of results: search, list, what arrives, and the panel with one result.
// Invariant: the address has the whole state; every change goes through it.
// Left out: records (feed.js), rows (rows.js), the panel's content (result-detail.js).

import { BASE, ConnectionLost, Problem, listInboxes, readVendors, serverNow } from "./api.js";
import { createChips, queryOfAddress } from "./chips.js";
import { announce, button, element, failureTitle, problemNotice, relativeTime } from "./elements.js";
import { createFeed } from "./feed.js";
import { listenToKeys } from "./keys.js";
import { createNotifier } from "./notifier.js";
import { mentions } from "./query-terms.js";
import { createRowMaker, isFailed } from "./records.js";
import { createRows } from "./rows.js";
import { createSearchBox } from "./search-box.js";
import { showStatus } from "./status.js";
import { remember, remembered } from "./storage.js";

const TICK_MILLISECONDS = 1_000;
const CHECK_MILLISECONDS = 4_000;
const CHECK_ROWS_MILLISECONDS = 60_000;
const CHECK_SPAN_MILLISECONDS = 5_000;
// A time relative to now: what it found leaves it by time alone.
const RELATIVE_TIME = /\breceived_at:[^\s]*?-\d+[smhd]\b/;
// Such a time as the end of a span, into which results come by time alone.
const RELATIVE_END = /\breceived_at:(<|[^\s]*\.\.)=?-\d+[smhd]\b/;
const MOVED_PIXELS = 40;
const OLDER_ROWS_AHEAD = 200;
const FIRST_ROWS = "landfall-first-rows";
const LAST_LOOK = "landfall-last-look";
const LONG_AWAY_MILLISECONDS = 600_000;
const HIDDEN_MILLISECONDS = 20_000;
const NO_MORE = "There are no more";

const part = Object.fromEntries(["top", "list", "rows", "total", "pill", "empty", "detail", "detail-title",
    "newer", "older", "close", "older-problem", "panel-note", "list-note", "last-look", "show-groups",
    "groups", "exports"].map((id) => [id, document.getElementById(id)]));
const narrow = matchMedia("(max-width: 67.99rem)");

let query = "";
let openId = "";
let nextId = "";             // gets the focus once what is open was erased
let state = "loading";
let panel = null;
let frame = 0;
let readGroups = null;       // reads the groups again, once they were shown
let followTimer = 0;
let isAsked = false;         // somebody sent the query, and waits to hear what it finds
let knowsVendors = false;    // rows have the vendors' names for people in them
let hasLooked = false;       // and when that was is noted
let emptyQuery = null;       // what finds nothing, as it is said in the place of rows

const hrefOf = (id) => addressOf(query, id);

function addressOf(q, id) {
    const parameters = new URLSearchParams({ ...(q && { q }), ...(id && { result: id }) });
    return parameters.size > 0 ? `/?${parameters}` : "/";
}

const idInAddress = () => new URLSearchParams(location.search).get("result") ?? location.hash.slice(1);

// ---- Parts -----------------------------------------------------------------------------------------

const feed = createFeed({
    changed: (id) => {
        frame ||= requestAnimationFrame(render);
        if (id && id === openId) panel?.then((detail) => detail?.refresh());
    },
    arrived: (records) => notifier.add(records),
    stateChanged,
    holds: isHeld,
});
const rows = createRows(part.rows, feed, createRowMaker(hrefOf));
const search = createSearchBox(document.getElementById("search"), changeQuery);
const chips = createChips(document.getElementById("chips"), { typed: search.typed, change: changeQuery, clear: clearQuery });
const notifier = createNotifier(document.getElementById("notify"), "Results · Landfall");

/** Whether somebody reads where the list is. */
function isHeld() {
    return openId !== "" || scrollY > MOVED_PIXELS;
}

/** The panel, read when a result is first opened; null while it can't be. */
function readPanel() {
    panel ??= Promise.all([import("./detail.js"), import("./result-detail.js")]).then(
        ([{ createDetail }, { loadResult }]) => createDetail(part.detail, () => "result", (id) => loadResult(id, {
            query: search.typed,
            erased: (gone) => {
                remove(gone);
                closeResult();
                announce("The result was erased");
            },
        }), { gone: remove, shown }),
        () => {
            panel = null;
            return null;
        });
    return panel;
}

function remove(id) {
    const index = feed.indexOf(id);
    feed.remove(id);
    if (index >= 0) nextId = (feed.at(index) ?? feed.at(index - 1))?.id;
}

/** Says what is shown. */
function shown({ title, spoken, hasFailed }) {
    if (openId === "") return;
    notifier.setTitle(`${spoken ?? title} · Landfall`);
    if (!hasFailed) announce(spoken ?? title);
}

// ---- List ------------------------------------------------------------------------------------------

function render() {
    frame = 0;
    if (!knowsVendors) return;
    rows.show();
    const pending = feed.pendingCount();
    part.pill.hidden = pending === 0;
    if (pending > 0) part.pill.textContent = `${pending.toLocaleString()} new ↑`;
    // When the first rows were there, for who measures.
    if (feed.count() > 0 && !performance.getEntriesByName(FIRST_ROWS)[0]) performance.mark(FIRST_ROWS);
    showTotal();
    showOlderProblem();
    updateNeighbours();
    readAhead();
    part.rows.hidden = feed.count() === 0;
    part["show-groups"].hidden = feed.count() === 0 && !readGroups;
    part.exports.hidden = feed.count() === 0;
    const nothing = feed.count() === 0 && state === "live" ? query : null;
    if (nothing !== emptyQuery) showEmpty(nothing);
}

function showTotal() {
    const total = feed.total();
    const loaded = feed.count() + feed.pendingCount();
    const isExact = total ? total.exact : !feed.hasOlder();
    const count = total?.exact ? total.count : Math.max(total?.count ?? 0, loaded);
    // A query that was refused has no number of results.
    part.total.textContent = !total && loaded === 0 ? ""
        : `${count.toLocaleString()}${isExact ? "" : "+"} ${namesKind() ? "record" : "result"}${count === 1 ? "" : "s"}`;
}

/** Whether the list has other records than callbacks, too. */
const namesKind = () => mentions(query, "kind:") + mentions(query, "has:kind") > 0;

/** An export without a kind has records of all kinds. A query may have no room for one more term. */
function linkExports() {
    for (const link of part.exports.children) {
        const asked = { q: query, ...(!namesKind() && { kind: "callback" }), format: link.text.toLowerCase() };
        link.href = `${BASE}/export?${new URLSearchParams(asked)}`;
    }
}

/** At the end of the list, because only that is missing. */
function showOlderProblem() {
    const error = feed.olderError();
    if (error && part["older-problem"].hidden) {
        part["older-problem"].replaceChildren(
            element("p", { class: "notice-title" }, "Older results could not be read"),
            ...problemNotice(error, button("Try again", readOlderAgain)).slice(1));
    }
    part["older-problem"].hidden = !error;
}

async function readOlderAgain() {
    const next = feed.count();
    await feed.readOlder();
    render();
    if (feed.olderError()) announce("Older results could not be read");
    else rows.focusRow(next);
}

/** Says that the query `asked` finds nothing; null hides that. */
async function showEmpty(asked) {
    emptyQuery = asked;
    part.empty.hidden = asked === null;
    part.empty.replaceChildren();
    if (asked === null) return;
    try {
        const { emptyState } = await import("./first-run.js");
        const nodes = await emptyState(asked, clearQuery);
        if (asked === emptyQuery) part.empty.replaceChildren(...nodes);
    } catch {
        // The next live state tries again.
        if (asked === emptyQuery) showEmpty(null);
    }
}

// ---- Diagnostics that many results have ------------------------------------------------------------

async function toggleGroups() {
    const isOpen = part.groups.hidden;
    part.groups.hidden = !isOpen;
    part["show-groups"].setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    readGroups ??= (await import("./finding-groups.js").catch(() => null))?.createGroupList(part.groups, () => query);
    if (readGroups) readGroups({ isSent: true });
    else part.groups.replaceChildren(element("p", {}, "Landfall can’t be reached."));
}

function readAhead() {
    const bottom = part.rows.getBoundingClientRect().bottom - innerHeight;
    const rowHeight = part.rows.offsetHeight / Math.max(1, feed.count());
    if (feed.hasOlder() && !feed.olderError() && bottom < OLDER_ROWS_AHEAD * rowHeight) feed.readOlder();
}

/** Results that were erased, or that the query doesn't find any longer, leave the list. */
function checkRows() {
    if (!document.hidden && state === "live") feed.check(rows.indexInView());
}

function showPending() {
    const hadFocus = document.activeElement === part.pill;
    feed.showPending();
    scrollTo({ top: 0, behavior: "instant" });
    if (hadFocus) requestAnimationFrame(() => requestAnimationFrame(() => rows.focusRow(0)));
}

function stateChanged(next, error) {
    const former = state;
    state = next;
    const isShown = next === "refused" && search.showFault(query, error);
    if (next !== "refused" && next !== "lost") search.showFault(query, null);
    showStatus(next, error, !isShown, next === "lost" ? feed.retry : start);
    if (next === "live" && document.hidden) setTimeout(follow, TICK_MILLISECONDS);
    if (next === "live" && !hasLooked) showLastLook();
    if (next === "live" && (former === "lost" || (former === "left" && !document.hidden))) {
        if (former === "lost") announce("Connected again");
        showVendors();
        readInboxes();
        checkRows();
        if (feed.olderError()) feed.readOlder();
        if (openId) readPanel().then((detail) => detail?.check(openId));
    }
    if (next === "live" && isAsked) {
        isAsked = false;
        showTotal();
        announce(feed.count() > 0 ? part.total.textContent : "No result matches");
    }
    frame ||= requestAnimationFrame(render);
}

/** Browsers have six connections for all tabs: hidden ones only look now and then. */
function follow() {
    if (!document.hidden) {
        clearTimeout(followTimer);
        if (state === "left") feed.resume();
    } else if (state !== "left") {
        leave();
        followTimer = setTimeout(feed.resume, HIDDEN_MILLISECONDS);
    }
}

function leave() {
    feed.stop();
    state = "left";
}

// ---- Address ---------------------------------------------------------------------------------------

/** The same query once more reads the list again. */
function changeQuery(text) {
    isAsked = true;
    if (text !== query) {
        query = text;
        history.pushState(null, "", addressOf(query, openId));
    }
    start();
}

function clearQuery() {
    changeQuery("");
    search.focus();
}

function start() {
    search.show(query);
    chips.show(query);
    linkExports();
    say("");
    notifier.clear();
    scrollTo({ top: 0, behavior: "instant" });
    feed.start(query);
    readGroups?.({ isSent: true });
    showVendors();
    readInboxes();
}

// The first result opened adds a step to the history, the next ones replace it: back always closes.
function openResult(id, options) {
    const isFirst = openId === "";
    history[isFirst ? "pushState" : "replaceState"](isFirst ? { opened: true } : history.state, "", addressOf(query, id));
    showResult(id, options);
}

function closeResult() {
    if (history.state?.opened) {
        history.back();
    } else {
        history.replaceState(null, "", addressOf(query, ""));
        showResult("");
    }
}

function followAddress() {
    const wanted = queryOfAddress(location.search);
    if (wanted !== query) {
        query = wanted;
        start();
    }
    if (idInAddress() !== openId) showResult(idInAddress());
}

// ---- Panel -----------------------------------------------------------------------------------------

function showResult(id, { keepFocus = false } = {}) {
    const closed = openId;
    openId = id;
    if (id) nextId = "";
    say("");
    rows.mark(id);
    rows.holdStill(id || closed, () => document.documentElement.toggleAttribute("data-open", id !== ""));
    coverList();
    updateNeighbours();
    part.detail.hidden = id === "";
    if (id) {
        readPanel().then((detail) => openId === id && detail?.show(id));
        if (!keepFocus) focusPanel();
        return;
    }
    notifier.setTitle();
    panel?.then((detail) => openId === "" && detail?.hide());
    if (scrollY <= MOVED_PIXELS) feed.showPending();
    const index = feed.indexOf(feed.indexOf(closed) < 0 ? nextId : closed);
    if (index >= 0) rows.focusRow(index);
    else search.focus();
}

const focusPanel = () => part["detail-title"].focus({ preventScroll: true });

// On narrow screens the panel lies over everything else, which must then be out of reach.
function coverList() {
    const isCovered = openId !== "" && narrow.matches;
    part.list.inert = isCovered;
    part.top.inert = isCovered;
}

function updateNeighbours() {
    const index = feed.indexOf(openId);
    part.newer.disabled = index === 0 && feed.pendingCount() === 0;
    part.older.disabled = index >= 0 && index === feed.count() - 1 && !feed.hasOlder();
}

/** Opens the next result for 1, the previous one for -1, also beyond the rows that are loaded. */
async function openNeighbour(step, { onlyFailed = false } = {}) {
    const before = openId;
    const from = openId || document.activeElement?.closest("[data-id]")?.dataset.id || "";
    const { record, text } = loadedNeighbour(from, step, onlyFailed)
        ?? await askNeighbour(from, step, onlyFailed);
    if (openId !== before) return;
    if (!record) return say(text);
    openResult(record.id, { keepFocus: part.detail.contains(document.activeElement) });
    rows.reveal(record.id);
    if (document.activeElement === document.body || document.activeElement?.disabled) focusPanel();
}

/** Null where the rows don't know. */
function loadedNeighbour(from, step, onlyFailed) {
    let index = from ? feed.placeOf(from) : step > 0 ? -1 : 0;
    if (index === null) return null;
    do index += step; while (feed.at(index) && onlyFailed && !isFailed(feed.at(index)));
    if (feed.at(index)) return { record: feed.at(index) };
    return step > 0 && feed.count() > 0 && feed.hasOlder() ? null : { text: NO_MORE };
}

async function askNeighbour(from, step, onlyFailed) {
    const isListed = !from || feed.placeOf(from) !== null;
    const start = isListed ? feed.at(feed.count() - 1).id : from;
    try {
        const { storedNeighbour } = await import("./neighbours.js");
        const { record, asked } = await storedNeighbour(query, start, step, onlyFailed);
        return { record, text: asked ? `None of the next ${asked.toLocaleString()} results failed` : NO_MORE };
    } catch (error) {
        return { text: failureTitle(error) };
    }
}

/** Says it until another result is opened. */
function say(text) {
    part["panel-note"].textContent = openId ? text : "";
    part["list-note"].textContent = openId ? "" : text;
    if (text) announce(text);
}

// ---- What is around the list -------------------------------------------------------------------------

async function readInboxes() {
    try {
        chips.showInboxes(await listInboxes());
    } catch (error) {
        if (!(error instanceof ConnectionLost || error instanceof Problem)) throw error;
    }
}

/** The vendors are read once, and again when they couldn't be. */
async function showVendors() {
    chips.showVendors(await readVendors());
    knowsVendors = true;
    frame ||= requestAnimationFrame(render);
}

/** A link to what came since this browser last showed the page, by the server's clock. */
function showLastLook() {
    hasLooked = true;
    const last = remembered(LAST_LOOK);
    const note = () => {
        if (!document.hidden) remember(LAST_LOOK, new Date(serverNow()).toISOString());
    };
    const time = Date.parse(last ?? "");
    if (!(serverNow() - time < LONG_AWAY_MILLISECONDS)) {
        const link = element("a", { href: addressOf(`received_at:>=${last}`, "") }, "What came since");
        part["last-look"].replaceChildren(`You last looked ${relativeTime(time)}. `, link);
        part["last-look"].hidden = Number.isNaN(time) || query !== "";
    }
    note();
    setInterval(note, LONG_AWAY_MILLISECONDS / 10);
    document.addEventListener("visibilitychange", note);
}

/** Opens a link's result beside the list. Links of peers may look alike, and lead to another origin. */
function followResultLink(event) {
    const link = event.target.closest("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    const place = link && isPlain && new URL(link.href);
    const isHere = place && place.origin === location.origin && place.pathname === "/";
    const id = isHere && place.searchParams.get("result");
    if (!id) return;
    event.preventDefault();
    openResult(id);
}

function listen() {
    history.scrollRestoration = "manual";
    // Browsers keep pages that were left.
    addEventListener("pagehide", leave);
    addEventListener("pageshow", ({ persisted }) => persisted && feed.resume());
    document.addEventListener("visibilitychange", follow);
    addEventListener("popstate", followAddress);
    addEventListener("hashchange", followAddress);
    narrow.addEventListener("change", coverList);
    addEventListener("scroll", () => {
        readAhead();
        if (scrollY <= MOVED_PIXELS && openId === "" && feed.pendingCount() > 0) feed.showPending();
    }, { passive: true });
    part.pill.addEventListener("click", showPending);
    part["show-groups"].addEventListener("click", toggleGroups);
    document.getElementById("workspace").addEventListener("click", followResultLink);
    part.close.addEventListener("click", closeResult);
    part.newer.addEventListener("click", () => openNeighbour(-1));
    part.older.addEventListener("click", () => openNeighbour(1));
    listenToKeys({
        "/": ["Search", () => search.focus()],
        "j": ["Next result", () => openNeighbour(1)],
        "k": ["Previous result", () => openNeighbour(-1)],
        "n": ["Next failed result", () => openNeighbour(1, { onlyFailed: true })],
        "p": ["Previous failed result", () => openNeighbour(-1, { onlyFailed: true })],
        "g": ["To the newest", showPending],
        "Escape": ["Close the result", () => openId && closeResult()],
    });
    setInterval(() => !document.hidden && rows.tick(), TICK_MILLISECONDS);
    setInterval(() => !document.hidden && openId && panel?.then((detail) => detail?.check()), CHECK_MILLISECONDS);
    document.addEventListener("visibilitychange", () => {
        checkRows();
        readGroups?.();
    });
    setInterval(() => {
        const mayMove = !isHeld() && !document.hidden && !part.rows.contains(document.activeElement);
        if (RELATIVE_END.test(query) && state === "live" && mayMove) feed.start(query);
        else checkRows();
    }, CHECK_ROWS_MILLISECONDS);
    setInterval(() => RELATIVE_TIME.test(query) && checkRows(), CHECK_SPAN_MILLISECONDS);
}

query = queryOfAddress(location.search);
listen();
start();
if (idInAddress()) {
    history.replaceState(history.state, "", addressOf(query, idInAddress()));
    showResult(idInAddress());
}
// Safari has no such callback.
(window.requestIdleCallback ?? setTimeout)(readPanel);
