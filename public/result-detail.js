// One result in full: facts, diagnostics, decoded value, and the request as it was received.
// Invariant: bodies and large values are written into the document only when opened.
// Left out: the panel around it, see detail.js.

import { fetchResult, flowPageURL, rawRequestURL, resultURL } from "./api.js";
import { definitions, diagnosticsList, section } from "./detail.js";
import {
    badge, byteSize, copyButton, element, localTime, utcText, utf8Length, wireText, words,
} from "./elements.js";
import { prettyJSON, valueTree } from "./value-tree.js";

const HEX_BYTES = 1_024;

export async function loadResult(id) {
    const record = await fetchResult(id);
    return { title: `${record.vendor ?? "unknown"} ${record.kind === "callback" ? "result" : record.kind}`, nodes: sections(record) };
}

function sections(record) {
    return [
        facts(record),
        record.link && linkNote(record),
        record.diagnostics.length > 0 && section("Diagnostics", diagnosticsList(record.diagnostics)),
        decodedValue(record),
        ...requestSections(record),
    ].filter(Boolean);
}

// ---- Facts -----------------------------------------------------------------------------------------

function facts(record) {
    return element("div", { class: "facts" },
        element("p", { class: "lead" }, badge(record.verdict), " ",
            record.outcome && element("span", { "data-outcome": record.outcome }, words(record.outcome))),
        definitions("pairs", [
            ["Received", [localTime(record.received_at, { precise: true }),
                element("span", { class: "soft" }, ` (${utcText(record.received_at)})`)]],
            ["Kind", record.kind],
            ["Contract", record.contract],
            ["Inbox", element("span", { class: "wire" }, record.inbox)],
            ["Flow", record.flow && element("a", { class: "wire mono", href: flowPageURL(record.flow) },
                record.flow)],
            ["Id", element("span", { class: "wire mono" }, record.id)],
            ["Sequence", String(record.seq)],
        ]),
        element("p", { class: "actions" },
            copyButton("Copy link", () => location.href),
            element("a", { class: "quiet", href: resultURL(record.id) }, "Open as JSON")));
}

/** What the link file of the host says of the URL by which the callback came. */
function linkNote({ fell_through: fellThrough, link }) {
    const lead = fellThrough
        ? "This link should have opened the app, and came to the server instead."
        : `A ${words(link.visitor)} looked at this link, which opens the app on a device.`;
    return section("Link",
        element("p", {}, lead),
        definitions("pairs", [
            ["App", link.app && element("span", { class: "wire mono" }, link.app)],
            ["Rule", link.pointer && element("span", { class: "wire mono" },
                `${link.pointer} (line ${link.line})`)],
            ["Visitor", words(link.visitor)],
        ]));
}

function decodedValue({ result }) {
    if (result === null || result === undefined) {
        return section("Decoded value", element("p", { class: "soft" }, "Nothing was decoded."));
    }
    return section("Decoded value", valueTree(result),
        element("p", { class: "actions" }, copyButton("Copy JSON", () => prettyJSON(result))));
}

// ---- The request ---------------------------------------------------------------------------------

function requestSections({ id, request }) {
    const { method, target, version, headers, body, scheme, host, peer } = request;
    return [
        section("Request",
            element("p", { class: "request-line mono" },
                element("strong", {}, method), " ", wireText(target), " ",
                element("span", { class: "soft" }, `HTTP/${version}`)),
            definitions("headers mono", headers.map(([name, value]) => [name, wireText(value)])),
            bodyOf(body),
            element("p", { class: "soft" },
                `Received ${scheme ? `by ${scheme} ` : ""}`, host ? `for ${host} ` : "", `from ${peer}`),
            element("p", { class: "actions" },
                element("a", { class: "quiet", href: rawRequestURL(id), download: `${id}.http` },
                    "Download the request"))),
        parameters(target),
    ];
}

function bodyOf(body) {
    if (!body) return element("p", { class: "soft" }, "No body.");
    if (body.encoding === "base64") return binaryBody(body.data);
    const size = byteSize(utf8Length(body.data));
    return element("div", { class: "body" },
        element("p", { class: "soft" }, `Body, ${size}`),
        wireText(body.data, "pre"),
        element("p", { class: "actions" }, copyButton("Copy body", () => body.data)));
}

function binaryBody(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const cut = bytes.length > HEX_BYTES ? `, the first ${byteSize(HEX_BYTES)} shown` : "";
    const details = element("details", {},
        element("summary", {}, `Body, ${byteSize(bytes.length)}, not text${cut}`));
    details.addEventListener("toggle", () => {
        if (details.children.length > 1) return;
        details.append(element("pre", { class: "hex", tabindex: "0", "aria-label": "Body in hexadecimal" },
            hexLines(bytes.subarray(0, HEX_BYTES))));
    });
    return element("div", { class: "body" }, details);
}

function hexLines(bytes) {
    const lines = [];
    for (let start = 0; start < bytes.length; start += 8) {
        const row = [...bytes.subarray(start, start + 8)];
        const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(23);
        const text = row.map((byte) => byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
        lines.push(`${start.toString(16).padStart(4, "0")}  ${hex}  ${text}`);
    }
    return lines.join("\n");
}

/** The target's query by URL rules: plus stays plus, and what can't be decoded stays as received. */
function parameters(target) {
    const query = target.split("#")[0].split("?").slice(1).join("?");
    const items = query.split("&").filter((item) => item !== "");
    if (items.length === 0) return null;
    return section("Query parameters", definitions("headers mono", items.map((item) => {
        const [name, ...value] = item.split("=");
        return [percentDecoded(name), wireText(percentDecoded(value.join("=")))];
    })));
}

function percentDecoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
