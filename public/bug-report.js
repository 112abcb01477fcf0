// A result as a report in Markdown, for an issue tracker.
// Invariant: it has no credentials, not even those that the result's own view shows: request, bytes and
// diagnostics are read as the server shares them. What a peer sent is in fences and inline code that it
// can't close.
// Left out: the button, see result-detail.js.

import { listResults } from "./api.js";
import { chunkOf } from "./bytes-view.js";
import { verdictText, visible, words } from "./elements.js";
import { fetchLayers, fetchSharedCurl } from "./result-api.js";

export async function bugReport(record, url) {
    const [{ results: [{ diagnostics }] }, { steps }, curl] = await Promise.all([
        listResults(`has:kind id:${record.id}`, { limit: 1, fields: "diagnostics" }),
        record.kind === "callback" ? fetchLayers(record.id, { areCredentialsHidden: true }) : { steps: [] },
        fetchSharedCurl(record.id),
    ]);
    const { vendor, outcome } = record;
    return [
        `## ${vendor ?? "unknown"}: ${verdictText(record)}${outcome ? `, ${words(outcome)}` : ""}`,
        `Received ${record.received_at}, contract ${record.contract ?? "unknown"}, ${url}`,
        diagnostics.map(findingItem).join("\n") || "No diagnostics.",
        ...steps.filter(({ fault }) => fault?.marked).flatMap(faultBlock),
        "The request:",
        fenced(curl.trim(), "sh"),
    ].join("\n\n") + "\n";
}

function findingItem({ severity, code, part, offset, pointer, expected, found, hint }) {
    const place = [pointer && ` at ${inline(pointer)}`, Number.isInteger(offset) && `, byte ${offset} of the ${part}`];
    return `- **${severity}** ${inline(code)}${place.filter(Boolean).join("")}\n`
        + `  expected ${inline(expected)}, found ${inline(found)}${hint ? `. ${inline(hint)}` : ""}`;
}

/** The bytes around the fault, where it is in the request if that is known. */
function faultBlock({ layer, fault }) {
    const place = fault.raw ?? fault;
    const where = fault.raw ? `the ${fault.raw.part} of the request` : `the layer ${words(layer)}`;
    return [`${inline(fault.code)}, byte ${place.offset} of ${where}:`, fenced(markedLines(place))];
}

/** One line with the bytes as text, or in hexadecimal, and carets under the marked ones. */
function markedLines({ before, marked, after }) {
    const chunks = [before, marked, after].map(chunkOf);
    const isText = chunks.every(({ text }) => text !== null);
    const [start, fault, end] = chunks.map(({ text, bytes }) => (isText ? oneLine(text) : hexOf(bytes)));
    const length = (text) => [...text].length;
    return `${start}${fault}${end}\n${" ".repeat(length(start))}${"^".repeat(Math.max(1, length(fault.trimEnd())))}`;
}

const hexOf = (bytes) => [...bytes].map((byte) => `${byte.toString(16).padStart(2, "0")} `).join("");

const oneLine = (text) => visible(String(text ?? "nothing")).replaceAll("\n", "␊").replaceAll("\t", "␉");

/** A mark of backticks that is longer than any in the text. */
const ticks = (text, least) =>
    "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

// One space is taken off each end, which keeps backticks at the ends apart from the marks.
const inline = (text) => {
    const line = oneLine(text);
    const pad = /^`|`$|^$/.test(line) ? " " : "";
    return ticks(line, 1) + pad + line + pad + ticks(line, 1);
};

const fenced = (text, language = "") => `${ticks(text, 3)}${language}\n${text}\n${ticks(text, 3)}`;
