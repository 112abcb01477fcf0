// The panel beside a list that shows one record, and the parts that its sections are made of.
// Invariant: the panel shows the record it was last asked for, whatever order answers come in.
// Left out: what is told of a record; the address, history and focus, which belong to the page.

import { ConnectionLost, Problem, isGone } from "./api.js";
import { announce, button, element, problemNotice, wireText, words } from "./elements.js";
import { prettyJSON } from "./written-json.js";

const ID = /^[0-9A-Za-z-]{1,64}$/;
const LATE_MILLISECONDS = 150;

/**
 * `nounOf(id)` names what is shown. `load` answers an id with { title, nodes }, or throws an error of api.js; `isStray`
 * says that it may be received as a callback.
 * `gone(id)` is called when the server says that there is no such record, `shown(content)` when another record is
 * shown.
 */
export function createDetail(panel, nounOf, load, { gone = () => {}, shown = () => {} } = {}) {
    const title = panel.querySelector("#detail-title");
    const body = panel.querySelector("#detail-body");
    let wanted = "";
    let failure = "";            // what the body explains instead of showing the record
    let isOver = false;          // nothing to ask again: the record is gone, or its id is invalid
    let isStray = false;
    let made = [];               // copies of the sections as they were made

    function unnamed(id) {
        const noun = nounOf(id);
        return noun[0].toUpperCase() + noun.slice(1);
    }

    async function show(id) {
        if (id !== wanted) leaveFormer(id);
        wanted = id;
        panel.hidden = false;
        body.setAttribute("aria-busy", "true");
        const content = await read(id);
        if (wanted === id) put(content);
    }

    function put(content) {
        const hadFocus = body.contains(document.activeElement);
        failure = content.failure ?? "";
        isOver = content.isOver === true;
        body.removeAttribute("aria-busy");
        body.inert = false;
        made = copies(content.nodes);
        isStray = content.isStray;
        title.textContent = content.title;
        body.replaceChildren(...content.nodes);
        panel.scrollTop = 0;
        if (hadFocus) title.focus({ preventScroll: true });
        shown(content);
    }

    const copies = (nodes) => nodes.map((node) => node.cloneNode(true));

    /** Nothing can be done with the former record any more, and it goes away if `id` is late. */
    function leaveFormer(id) {
        if (body.contains(document.activeElement)) title.focus({ preventScroll: true });
        body.inert = true;
        setTimeout(() => {
            if (wanted !== id || !body.inert) return;
            title.textContent = unnamed(id);
            body.replaceChildren();
        }, LATE_MILLISECONDS);
    }

    /**
     * Reads what is shown again: sections that are made as before stay, with what was opened in them. What
     * is erased empties the panel, and what fails again as before stays as it is.
     */
    async function refresh() {
        const id = wanted;
        if (!id || isOver || body.hasAttribute("aria-busy")) return;
        try {
            const content = await load(id);
            if (wanted !== id || body.hasAttribute("aria-busy")) return;
            if (failure) put(content);
            else update(content);
        } catch (error) {
            if (wanted !== id) return;
            if (failure) {
                if (failureOf(error) !== failure && !body.hasAttribute("aria-busy")) put(explained(id, error));
            } else if (error.status === 404) {
                showGone();
            } else if (!isExpected(error)) {
                throw error;
            }
        }
    }

    /** Asks whether what is shown is still there; shows `missed` if that could not be shown before. */
    async function check(missed) {
        const id = wanted;
        if (missed && (missed !== id || failure)) show(missed);
        else if (!id || failure || isOver || body.hasAttribute("aria-busy")) return;
        else if (await isGone(id) && wanted === id) showGone();
    }

    function showGone() {
        isOver = true;
        gone(wanted);
        const text = `This ${nounOf(wanted)} ${isStray ? "is gone" : "was erased"}`;
        title.textContent = text;
        shown({ title: text, hasFailed: true });
        body.replaceChildren(element("div", { class: "notice", role: "alert" },
            element("p", { class: "notice-title" }, text),
            element("p", {}, isStray ? "It was received as a callback while it was shown here, or erased, or it expired."
                : "Somebody erased it while it was shown here, or it expired. Nothing of it is kept.")));
    }

    function update(content) {
        const { nodes } = content;
        const former = made;
        made = copies(nodes);
        nodes.forEach((node, index) => {
            if (!former[index]) body.append(node);
            else if (body.children[index] !== node && !former[index].isEqualNode(node)) {
                replaceSection(body.children[index], node);
            }
        });
        while (body.children.length > nodes.length) body.lastElementChild.remove();
        title.textContent = content.title;
        shown(content);
    }

    function replaceSection(former, node) {
        const focused = former.contains(document.activeElement) ? document.activeElement : null;
        former.replaceWith(node);
        if (!focused) return;
        const same = [...node.querySelectorAll("a, button")].find((other) => other.isEqualNode(focused));
        (same ?? title).focus({ preventScroll: true });
    }

    async function read(id) {
        if (!ID.test(id)) {
            return { title: unnamed(id), hasFailed: true, isOver: true,
                nodes: [notice({ title: `This is not a ${nounOf(id)}’s id`, detail: id })] };
        }
        try {
            return await load(id);
        } catch (error) {
            return explained(id, error);
        }
    }

    /** Why the record can't be shown now, as content. */
    function explained(id, error) {
        const noun = nounOf(id);
        if (wanted === id) announce(`The ${noun} could not be shown.`);
        if (!isExpected(error)) reportError(error);
        if (error.status === 404) gone(id);
        const shownError = isExpected(error) ? error : { title: `The ${noun} could not be shown`, detail: String(error) };
        return { title: unnamed(id), hasFailed: true, failure: failureOf(error),
            nodes: [notice(shownError, button("Try again", () => show(id)))] };
    }

    function hide() {
        wanted = "";
        panel.hidden = true;
        body.replaceChildren();
    }

    return { show, refresh, check, hide, focus: () => title.focus({ preventScroll: true }) };
}

const isExpected = (error) => error instanceof Problem || error instanceof ConnectionLost;

/** The same text for failures that look the same. */
const failureOf = (error) => `${error.title ?? error.isLate} ${error.detail ?? error.message}`;

export function notice(error, ...actions) {
    return element("div", { class: "notice bad", role: "alert" }, problemNotice(error, ...actions));
}

/** The module, which may be asked for while the server can't be reached. */
export const loaded = (module) => module.catch((cause) => { throw new ConnectionLost("No module came.", { cause }); });

const latest = new WeakMap();

/**
 * Shows in `place` the nodes that `make` resolves to, or why it failed, with `actions`. Of { nodes, spoken }, `spoken`
 * is announced. Only the newest call for a place is shown.
 */
export async function showIn(place, make, ...actions) {
    const mine = {};
    latest.set(place, mine);
    place.setAttribute("aria-busy", "true");
    let nodes = [];
    let spoken = "";
    try {
        const content = await make();
        nodes = [content?.nodes ?? content].flat().filter(Boolean);
        spoken = content?.spoken;
    } catch (error) {
        if (!isExpected(error)) throw error;
        nodes = [notice(error, ...actions)];
    } finally {
        if (latest.get(place) === mine) {
            place.removeAttribute("aria-busy");
            const hadFocus = place.contains(document.activeElement);
            place.replaceChildren(...nodes);
            if (hadFocus) focusOn(place);
            if (spoken) announce(spoken);
        }
    }
}

/** `showIn` for calls that change nothing: a failed one can be tried again. */
export function readIn(place, make) {
    return showIn(place, make, button("Try again", () => readIn(place, make)));
}

/** Focuses what can't be reached by the Tab key. */
export function focusOn(node) {
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
}

export function section(heading, ...children) {
    return element("section", {}, element("h3", {}, heading), children);
}

/** Pairs of [name, node or string]; pairs without a value are left out. */
export function definitions(className, pairs) {
    const list = element("dl", { class: className });
    for (const [name, value] of pairs) {
        if (value === null || value === undefined) continue;
        list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
    }
    return list;
}

// ---- Diagnostics -----------------------------------------------------------------------------------

/** null where there are none. */
export function diagnosticsList(diagnostics) {
    if (diagnostics.length === 0) return null;
    return element("ul", { class: "diagnostics" }, diagnostics.map(diagnosticItem));
}

function diagnosticItem(diagnostic) {
    const { severity, layer, code, expected, found, hint } = diagnostic;
    return element("li", { class: "diagnostic", "data-severity": severity },
        element("p", { class: "diagnostic-head" },
            element("strong", {}, severity), " ", element("span", { class: "mono wire" }, code ?? "")),
        definitions("pairs", [
            ["Layer", layer && words(layer)],
            ["Where", diagnosticPlace(diagnostic)],
            ["Expected", textOrNull(expected)],
            ["Found", textOrNull(found)],
        ]),
        hint && element("p", { class: "hint" }, wireText(hint)));
}

export function diagnosticPlace({ part, pointer, offset }) {
    const places = [
        part && words(part),
        pointer && element("span", { class: "wire mono" }, pointer),
        Number.isInteger(offset) && `byte ${offset}`,
    ].filter(Boolean);
    return places.length === 0 ? null : places.flatMap((place, index) => index ? [", ", place] : [place]);
}

export function textOrNull(value) {
    if (value === null || value === undefined) return null;
    const text = wireText(typeof value === "string" ? value : prettyJSON(value));
    text.classList.add("mono");
    return text;
}
