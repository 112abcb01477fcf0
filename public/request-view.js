// The request as it was received, or sent: line, headers, and the body, pretty or exact.
// Invariant: what can't be taken apart is shown as it came.

import { definitions, loaded, readIn, section } from "./detail.js";
import { button, byteSize, copyButton, element, utf8Length, wireText } from "./elements.js";
import { rawRequestURL } from "./result-api.js";
import { valueTree } from "./value-tree.js";
import { parseAsWritten } from "./written-json.js";

const HEX_BYTES = 1_024;
const PARSED_LENGTH = 5_000_000;
const SHOWN_PAIRS = 200;

export function requestSections({ id, kind, request }) {
    const { method, target, version, headers, scheme, host, peer } = request;
    return [
        section("Request",
            element("p", { class: "request-line mono" },
                element("strong", {}, method), " ", wireText(target), " ",
                element("span", { class: "soft" }, `HTTP/${version}`)),
            definitions("headers mono", headers.map(([name, value]) => [wireText(name), wireText(value)])),
            bodyView(request),
            element("p", { class: "soft" }, kind === "delivery" ? `Sent by ${scheme} to ${host}`
                : `Received ${scheme ? `by ${scheme} ` : ""}${host ? `for ${host} ` : ""}from ${peer}`),
            element("p", { class: "actions" },
                element("a", { class: "quiet", href: rawRequestURL(id), download: true },
                    "Download the request"))),
        parameters(target),
    ];
}

function bodyView({ body, headers, batch }) {
    if (!body) return element("p", { class: "soft" }, "No body.");
    const inflated = body.content_coding ? " decompressed" : "";
    if (body.encoding === "base64") return binaryBody(body.data, inflated);
    const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    const views = { Exact: () => wireText(body.data, "pre") };
    const pretty = prettyBody(body.data, type);
    const place = element("div", {});
    const choices = pretty ? ["Pretty", "Exact"] : [];
    if (pretty) views.Pretty = pretty;
    const buttons = choices.map((name) => button(name, () => show(name)));

    function show(name) {
        buttons.forEach((node, index) => node.setAttribute("aria-pressed", String(choices[index] === name)));
        place.replaceChildren(views[name]());
    }

    show(pretty ? "Pretty" : "Exact");
    return element("div", { class: "body" },
        element("p", { class: "soft" }, `Body, ${byteSize(utf8Length(body.data))}${inflated}`,
            batch && `: callback ${batch.index + 1} of the ${batch.count} in the list that was sent`),
        place,
        element("p", { class: "actions" }, buttons, copyButton("Copy body", () => body.data)));
}

/** What shows the body's structure; null where it has none. */
function prettyBody(text, type) {
    if (type.includes("form-urlencoded")) {
        return () => pairList(text, (part) => percentDecoded(part.replaceAll("+", " ")));
    }
    if (!/^\s*[[{]/.test(text) || text.length > PARSED_LENGTH) return null;
    try {
        const value = parseAsWritten(text);
        return () => valueTree(value);
    } catch {
        return null;
    }
}

function binaryBody(base64, inflated) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const cut = bytes.length > HEX_BYTES ? `, the first ${byteSize(HEX_BYTES)} shown` : "";
    const place = element("div", {});
    const details = element("details", {},
        element("summary", {}, `Body, ${byteSize(bytes.length)}${inflated}, not text${cut}`), place);
    details.addEventListener("toggle", () => {
        if (details.open) readIn(place, async () => (await loaded(import("./bytes-view.js")))
            .hexView(bytes.subarray(0, HEX_BYTES), { label: "Body in hexadecimal" }));
    });
    return element("div", { class: "body" }, details);
}

/**
 * The target's query by URL rules: plus stays plus, and what can't be decoded stays as received.
 */
function parameters(target) {
    const query = target.split("#")[0].split("?").slice(1).join("?");
    return /[^&]/.test(query) ? section("Query parameters", pairList(query)) : null;
}

function pairList(query, decoded = percentDecoded) {
    const pairOf = (item) => {
        const [name, ...value] = item.split("=");
        return [wireText(decoded(name)), wireText(decoded(value.join("=")))];
    };
    const items = query.split("&").filter((item) => item !== "");
    const list = definitions("headers mono", items.slice(0, SHOWN_PAIRS).map(pairOf));
    if (items.length <= SHOWN_PAIRS) return list;
    const left = () => items.length - list.children.length;
    const label = () => `Show ${Math.min(SHOWN_PAIRS, left())} more of ${left()}`;
    const more = button(label(), () => {
        const shown = list.children.length;
        list.append(...definitions("", items.slice(shown, shown + SHOWN_PAIRS).map(pairOf)).children);
        list.children[shown].tabIndex = -1;
        list.children[shown].focus({ preventScroll: true });
        more.textContent = label();
        more.hidden = left() === 0;
    });
    return element("div", {}, list, element("p", { class: "actions" }, more));
}

function percentDecoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
