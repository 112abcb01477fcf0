// Builds DOM nodes and the short texts inside them.
// Invariant: whatever a peer sent becomes a text node or a plain attribute value; no string is ever
// parsed as markup, and long strings enter the document only when somebody asks for them.
// Left out: page state and requests.

const LONG_TEXT_LENGTH = 1_000;
const COPIED_MILLISECONDS = 2_000;

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
    if (text.length <= length) return text;
    const endsInHalfCharacter = /[\uD800-\uDBFF]/.test(text[length - 2]);
    return text.slice(0, length - (endsInHalfCharacter ? 2 : 1)) + "…";
}

export function byteSize(bytes) {
    if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
    if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
    return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const utf8Length = (text) => new TextEncoder().encode(text).length;

/** A peer's text as received: wraps anywhere, and shows its start until asked for the rest. */
export function wireText(text, tag = "span") {
    const node = element(tag, { class: "wire" });
    if (text.length <= LONG_TEXT_LENGTH) {
        node.append(text);
        return node;
    }
    const showAll = button(`Show all ${byteSize(utf8Length(text))}`, () => {
        node.replaceChildren(text);
        node.tabIndex = -1;
        node.focus({ preventScroll: true });
    });
    node.append(shorten(text, LONG_TEXT_LENGTH), " ", showAll);
    return node;
}

export function badge(verdict) {
    return element("span", { class: "badge", "data-verdict": verdict }, words(verdict));
}

// ---- Time ------------------------------------------------------------------------------------

const timeFormat = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat(undefined, timeFormat);
const preciseClock = new Intl.DateTimeFormat(undefined, { ...timeFormat, fractionalSecondDigits: 3 });
const dayThisYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const dayAnyYear = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

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

function dayPrefix(date) {
    const today = new Date();
    if (date.toDateString() === today.toDateString()) return "";
    const sameYear = date.getFullYear() === today.getFullYear();
    return `${(sameYear ? dayThisYear : dayAnyYear).format(date)}, `;
}

// ---- Telling and copying -----------------------------------------------------------------------

/** Says something to people who listen to the page instead of looking at it. */
export function announce(text) {
    document.getElementById("announcer").textContent = text;
}

/** `text` is a function, so that large values are only written out when copied. */
export function copyButton(label, text) {
    const node = button(label, async () => {
        const copied = await copy(text());
        node.textContent = copied ? "Copied" : "Copying was refused";
        announce(node.textContent);
        setTimeout(() => { node.textContent = label; }, COPIED_MILLISECONDS);
    });
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

// Plain http on a host other than localhost has no clipboard object; selecting still works there.
function copyBySelection(text) {
    const focused = document.activeElement;
    const area = element("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return copied;
}

/** A problem from the API, or a lost connection, as something kind to read. */
export function problemNotice(error, ...actions) {
    const title = error.title ?? "Landfall can’t be reached";
    const detail = error.title ? error.detail : "The server may be restarting, or the network is down.";
    const findings = (error.errors ?? []).map((entry) => element("li", {}, errorText(entry)));
    const wanted = actions.filter(Boolean);
    return [
        element("p", { class: "notice-title" }, title),
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
