// The panel beside a list that shows one record, and the parts that its sections are made of.
// Invariant: the panel shows the record it was last asked for, whatever order answers come in.
// Left out: what is told of a record; the address, history and focus, which belong to the page.

import { announce, button, element, problemNotice, wireText, words } from "./elements.js";
import { prettyJSON } from "./value-tree.js";

const ID = /^[0-9A-Za-z-]{1,64}$/;

/**
 * `noun` names what is shown. `load` answers an id with { title, nodes }, or throws an error of api.js.
 */
export function createDetail(panel, noun, load) {
    const title = panel.querySelector("#detail-title");
    const body = panel.querySelector("#detail-body");
    let wanted = "";

    async function show(id) {
        wanted = id;
        panel.hidden = false;
        body.setAttribute("aria-busy", "true");
        const content = await read(id);
        if (wanted !== id) return;
        body.removeAttribute("aria-busy");
        title.textContent = content.title;
        body.replaceChildren(...content.nodes);
        panel.scrollTop = 0;
    }

    /** Reads what is shown again: sections that did not change stay, and a failure changes nothing. */
    async function refresh() {
        const id = wanted;
        if (!id || body.hasAttribute("aria-busy")) return;
        try {
            const { nodes } = await load(id);
            if (wanted === id && !body.hasAttribute("aria-busy")) update(nodes);
        } catch {
            // The list was read at the same time, and says what is wrong.
        }
    }

    function update(nodes) {
        nodes.forEach((node, index) => {
            const former = body.children[index];
            if (!former) body.append(node);
            else if (!former.isEqualNode(node)) replaceSection(former, node);
        });
        while (body.children.length > nodes.length) body.lastElementChild.remove();
    }

    function replaceSection(former, node) {
        const focused = former.contains(document.activeElement) ? document.activeElement : null;
        former.replaceWith(node);
        if (!focused) return;
        const same = [...node.querySelectorAll("a, button")].find((other) => other.isEqualNode(focused));
        (same ?? title).focus({ preventScroll: true });
    }

    async function read(id) {
        const unknown = noun[0].toUpperCase() + noun.slice(1);
        if (!ID.test(id)) {
            return { title: unknown, nodes: [notice({ title: `This is not a ${noun}’s id`, detail: id })] };
        }
        try {
            return await load(id);
        } catch (error) {
            if (wanted === id) announce(`The ${noun} could not be shown.`);
            return { title: unknown, nodes: [notice(error, button("Try again", () => show(id)))] };
        }
    }

    function hide() {
        wanted = "";
        panel.hidden = true;
        body.replaceChildren();
    }

    return { show, refresh, hide, focus: () => title.focus({ preventScroll: true }) };
}

export function notice(error, ...actions) {
    return element("div", { class: "notice bad", role: "alert" }, problemNotice(error, ...actions));
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
            ["Where", whereOf(diagnostic)],
            ["Expected", textOrNull(expected)],
            ["Found", textOrNull(found)],
        ]),
        hint && element("p", { class: "hint" }, wireText(hint)));
}

function whereOf({ part, pointer, offset }) {
    const places = [
        part && words(part),
        pointer && element("span", { class: "wire mono" }, pointer),
        Number.isInteger(offset) && `byte ${offset}`,
    ].filter(Boolean);
    return places.length === 0 ? null : places.flatMap((place, index) => index ? [", ", place] : [place]);
}

function textOrNull(value) {
    if (value === null || value === undefined) return null;
    const text = wireText(typeof value === "string" ? value : prettyJSON(value));
    text.classList.add("mono");
    return text;
}
