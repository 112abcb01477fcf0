// Builds DOM nodes and the short texts inside them, and adds style sheets.
// Invariant: whatever a peer sent becomes a text node or a plain attribute value; no string is ever
// parsed as markup, and long strings enter the document only when somebody asks for them.
// Left out: page state and requests.

import { serverNow } from "./api.js";

const LONG_TEXT_LENGTH = 1_000;
const MORE_TEXT_LENGTH = 100_000;
const COPIED_MILLISECONDS = 2_000;
const styles = new Map();      // promises by the name of a style sheet

const isThere = (value) => value !== null && value !== undefined && value !== false;

/** `children` are nodes, strings or lists of them; what is no value is left out, of attributes too. */
export function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (isThere(value)) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter(isThere));
    return node;
}

export function button(label, onClick, attributes = {}) {
    const node = element("button", { type: "button", class: "quiet", ...attributes }, label);
    node.addEventListener("click", onClick);
    return node;
}

/** `in_progress` reads as "in progress". */
export const words = (name) => String(name).replaceAll("_", " ");

export function shorten(text, length) {
    return text.length <= length ? text : text.slice(0, wholeEnd(text, length - 1)) + "…";
}

/** `end`, or one less where that would cut a character in half. */
function wholeEnd(text, end) {
    return end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]) ? end - 1 : end;
}

export function byteSize(bytes) {
    if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
    if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
    return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const utf8Length = (text) => new TextEncoder().encode(text).length;

// Characters without a shape of their own, or that change the order of others.
const UNSEEN = new RegExp(String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e`
    + String.raw`\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]`, "gu");
const CONTROL_PICTURES = 0x2400;

/** The text with a visible sign in place of each character that can't be seen, such as ␀ or [U+202E]. */
export function visible(text) {
    return text.replace(UNSEEN, (character) => {
        const code = character.codePointAt(0);
        if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
        return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}

/** A peer's text: wraps anywhere, and shows its start until asked for more. */
export function wireText(text, tag = "span") {
    const node = element(tag, { class: "wire" });
    let shown = text.length <= LONG_TEXT_LENGTH ? text.length : wholeEnd(text, LONG_TEXT_LENGTH - 1);
    node.append(visible(text.slice(0, shown)));
    if (shown === text.length) return node;
    const rest = element("span", {});
    const label = () => {
        const left = text.length - shown;
        return left <= MORE_TEXT_LENGTH ? `Show all ${byteSize(utf8Length(text))}` : "Show 100 kB more";
    };
    const more = button(label(), () => {
        const start = shown;
        shown = wholeEnd(text, Math.min(text.length, shown + MORE_TEXT_LENGTH));
        rest.append(visible(text.slice(start, shown)));
        if (shown < text.length) {
            more.textContent = label();
        } else {
            ellipsis.remove();
            more.remove();
            if (!node.hasAttribute("tabindex")) node.tabIndex = -1;
            node.focus({ preventScroll: true });
        }
    });
    const ellipsis = element("span", { "aria-hidden": "true" }, "… ");
    node.append(rest, ellipsis, more);
    return node;
}

const VERDICTS = {
    decoded: ["✓", "decoded"],
    decoded_with_warnings: ["!", "decoded with warnings"],
    undecodable: ["✗", "undecodable"],
    unmatched: ["–", "not decoded"],
};

/** A verdict in words. `hasError`: one of the diagnostics is an error. */
export const verdictText = ({ verdict, hasError }) => (hasError && verdict === "decoded_with_warnings"
    ? "decoded with errors" : VERDICTS[verdict]?.[1] ?? words(verdict ?? "unknown"));

/** The verdict with a sign, so that colour doesn't speak alone. */
export function badge(verdict, { hasError = false } = {}) {
    return element("span", { class: "badge", "data-verdict": verdict },
        element("span", { "aria-hidden": "true" }, VERDICTS[verdict]?.[0], " "), verdictText({ verdict, hasError }));
}

// ---- Time ------------------------------------------------------------------------------------

const timeFormat = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat(undefined, timeFormat);
const preciseClock = new Intl.DateTimeFormat(undefined, { ...timeFormat, fractionalSecondDigits: 3 });
const dayThisYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const dayAnyYear = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

export const clockTime = (date) => clock.format(date);
export const utcText = (timestamp) => `${timestamp.replace("T", " ").replace("Z", "")} UTC`;

/** Local time, with the day unless it is today; the full UTC time in the title. */
export function localTime(timestamp, { precise = false } = {}) {
    const date = new Date(timestamp);
    if (Number.isNaN(date.getTime())) return element("span", {}, timestamp);
    const time = (precise ? preciseClock : clock).format(date);
    const text = precise ? `${dayAnyYear.format(date)}, ${time}` : dayPrefix(date) + time;
    return element("time", { datetime: timestamp, title: utcText(timestamp) }, text);
}

/** The time of day with its milliseconds. */
export const exactClock = (time) => preciseClock.format(time);

function dayPrefix(date) {
    const today = new Date(serverNow());
    if (date.toDateString() === today.toDateString()) return "";
    const sameYear = date.getFullYear() === today.getFullYear();
    return `${(sameYear ? dayThisYear : dayAnyYear).format(date)}, `;
}

/** `now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 days ago`, by the server's clock. */
export function relativeTime(time) {
    const seconds = Math.floor((serverNow() - time) / 1_000);
    if (seconds < 1) return "now";
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
    const days = Math.floor(seconds / 86_400);
    return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `Today · Nov 21, 2026`, the same of yesterday, or the date with its weekday. */
export function dayName(time) {
    const date = new Date(time);
    const day = new Date(serverNow());
    const isDay = () => date.toDateString() === day.toDateString();
    if (isDay()) return `Today · ${dayAnyYear.format(date)}`;
    day.setDate(day.getDate() - 1);
    return isDay() ? `Yesterday · ${dayAnyYear.format(date)}` : fullDay.format(date);
}

// ---- Telling and copying -----------------------------------------------------------------------

/** Says something to people who listen to the page instead of looking at it. */
export function announce(text) {
    document.getElementById("announcer").textContent = text;
}

/** Says it beside `node` too, over a bit of the page, until something else is done. */
export function sayBeside(node, text) {
    const note = element("p", { class: "notice" }, text);
    node.after(note);
    announce(text);
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => note.remove(), { once: true });
}

/** `text` is a function, so that large values are only read or written out when copied. */
export function copyButton(label, text, attributes = {}) {
    const node = button(label, async () => {
        const value = await Promise.resolve().then(text).catch(() => null);
        const copied = value !== null && await copy(value);
        node.textContent = copied ? "Copied" : "It could not be copied";
        announce(node.textContent);
        setTimeout(() => { node.textContent = label; }, COPIED_MILLISECONDS);
    }, attributes);
    return node;
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text);
    }
}

// Plain http on a host other than localhost has no clipboard object; selecting still works there, but only
// inside of an open dialog.
function copyBySelection(text) {
    const focused = document.activeElement;
    const area = element("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    (focused?.closest("dialog") ?? document.body).append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return copied;
}

/** A problem from the API, or a lost connection, in one line. */
export function failureTitle(error) {
    return error.title ?? (error.isLate ? "Landfall hasn’t answered in time" : "Landfall can’t be reached");
}

/** A problem from the API, or a lost connection, as something kind to read. */
export function problemNotice(error, ...actions) {
    const detail = error.title ? error.detail
        : error.isLate ? "The server may be busy, or the connection slow."
        : "The server may be restarting, or the network is down.";
    const findings = (error.errors ?? []).map((entry) => element("li", {}, errorText(entry)));
    // The browser asks for the token only when it loads a page.
    const isLocked = error.status === 401;
    const wanted = isLocked ? [button("Try again", () => location.reload())] : actions.filter(Boolean);
    return [
        element("p", { class: "notice-title" }, failureTitle(error)),
        detail && element("p", {}, wireText(detail)),
        findings.length > 0 && element("ul", {}, findings),
        wanted.length > 0 && element("p", { class: "actions" }, wanted),
    ].filter(Boolean);
}

function errorText(entry) {
    if (typeof entry === "string") return entry;
    const what = entry?.detail ?? JSON.stringify(entry);
    return entry?.name ? `${entry.name}: ${what}` : what;
}

/** Resolves when the style sheet `name` is in force, so that nothing is shown without its style. */
export function useStyles(name) {
    if (!styles.has(name)) {
        styles.set(name, new Promise((resolve) => {
            const link = element("link", { rel: "stylesheet", href: `/${name}` });
            link.addEventListener("load", resolve);
            link.addEventListener("error", resolve);
            document.head.append(link);
        }));
    }
    return styles.get(name);
}
