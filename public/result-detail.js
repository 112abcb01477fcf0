// One result in full, from what matters first: verdict, where it broke, the vendor's card, the
// value, the link, the request as it was received.
// Invariant: bodies and large values are written into the document only when opened.
// Left out: the panel around it (detail.js), its parts, and its questions (result-dialogs.js).

import { ConnectionLost, Problem, flowPageURL, resultPageURL, resultURL, titleOf } from "./api.js";
import { definitions, loaded, notice, section } from "./detail.js";
import { cardOf } from "./drawing.js";
import {
    badge, button, clockTime, copyButton, element, localTime, useStyles, utcText, verdictText, wireText, words,
} from "./elements.js";
import { isJudged } from "./records.js";
import { requestSections } from "./request-view.js";
import { exportURL, fetchCurl, fetchLayers, fetchResult } from "./result-api.js";
import { roadOf } from "./road.js";
import { valueTree } from "./value-tree.js";
import { prettyJSON } from "./written-json.js";

const dialogs = () => loaded(import("./result-dialogs.js"));
const SENTENCES = {
    undecodable: "It is kept as it came; the diagnostics say where decoding stopped.",
    unmatched: "It is kept as it came: no contract says how to decode it.",
};
const FLOW_VERBS = { launch: "begins", delivery: "belongs to" };

/**
 * The content of the panel; `spoken` says in one line what it is of. `context.erased(id)` tells the page that a
 * result is gone, `context.query()` is the query in the search box.
 */
export async function loadResult(id, context) {
    const record = await fetchResult(id);
    const [picture, findings, story] = await Promise.all([
        cardOf(record),
        record.diagnostics.length > 0 && loaded(import("./findings.js")).then((module) => module.findingsSection(record)),
        record.kind !== "callback" && loaded(import("./other-kinds.js")).then((module) => module.storyOf(record)),
        useStyles("result.css"),
    ]);
    const title = `${titleOf(record.vendor)} ${record.kind === "callback" ? "result" : words(record.kind)}`;
    return {
        title,
        isStray: record.kind === "stray",
        spoken: [title, isJudged(record) && verdictText(record), clockTime(new Date(record.received_at))].filter(Boolean)
            .join(", "),
        nodes: sections(record, { picture, findings, story }, context),
    };
}

function sections(record, { picture, findings, story }, context) {
    return [
        lead(record, story),
        resultActions(record, context),
        roadPlace(record),
        findings,
        picture && section("At a glance", picture),
        decodedValue(record),
        linkSection(record),
        ...requestSections(record),
        facts(record),
    ].filter(Boolean);
}

function lead(record, story) {
    const hasError = record.diagnostics.some(({ severity }) => severity === "error");
    const sentence = !story && SENTENCES[record.verdict];
    return element("div", { class: "lead-block" },
        element("p", { class: "lead" }, isJudged(record) && [badge(record.verdict, { hasError }), " "],
            record.outcome && element("span", { class: "outcome", "data-outcome": record.outcome },
                words(record.outcome)), " ",
            element("span", { class: "soft" }, localTime(record.received_at, { precise: true }))),
        story, sentence && element("p", { class: "soft" }, sentence),
        privacyNotes(record).map((note) => element("p", { class: "soft privacy" }, note)));
}

/** What is not shown as it came, and why. */
function privacyNotes({ request, result }) {
    const { encoding, data = "" } = request.body ?? {};
    const text = JSON.stringify([request.target, request.headers, result]) + (encoding === "base64" ? atob(data) : data);
    return [
        request.masked && "Health and location values are pseudonyms: the server runs with privacy: mask.",
        request.masked === "beyond_decoding"
            && "A value with a defect was replaced, too: decoding this request again would give other diagnostics.",
        /\[redacted\]|%5Bredacted%5D/i.test(text) && "Where it says [redacted], a credential was left out: it is never stored. A sender may write that, too.",
        text.includes("[hidden]") && "A token is written [hidden] where results are shared.",
    ].filter(Boolean);
}

// The layers come after the rest is on screen.
function roadPlace({ id, kind, seq }) {
    if (kind !== "callback") return null;
    const place = element("div", { class: "road-place", "data-seq": seq });
    fetchLayers(id).then(({ steps }) => place.replaceChildren(roadOf(steps)), (error) => {
        if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
        place.replaceChildren(notice(error));
    });
    return place;
}

function decodedValue({ kind, result }) {
    const title = kind === "callback" ? "Decoded value" : "Details";
    if (result === null || result === undefined) {
        return section(title, element("p", { class: "soft" }, "Nothing was decoded."));
    }
    return section(title, valueTree(result),
        element("p", { class: "actions" }, copyButton("Copy JSON", () => prettyJSON(result))));
}

/** What the link file of the host says of the URL by which the callback came. */
function linkSection({ kind, fell_through: fellThrough, link, flow }) {
    if (!link && !flow) return null;
    return section("Flow and link",
        flow && element("p", {}, `It ${FLOW_VERBS[kind] ?? "answers"} the flow `,
            element("a", { class: "wire mono", href: flowPageURL(flow) }, flow), "."),
        link && element("p", {}, linkSentence(link, fellThrough)),
        link && definitions("pairs", [
            ["App", link.app && element("span", { class: "wire mono" }, link.app)],
            ["Rule", link.pointer && element("span", { class: "wire mono" }, `${link.pointer} (line ${link.line})`)],
            ["Reason", link.reason],
            ["Visitor", words(link.visitor)],
        ]));
}

function linkSentence(link, fellThrough) {
    if (!link.opens_app) return "By the host’s link file, this URL opens no app.";
    if (fellThrough) return "This link should have opened the app, and came to the server instead.";
    return `A ${words(link.visitor)} looked at this link, which opens the app on a device.`;
}

/** What a receiver with an answer of its own sent. */
function answerSentence({ status, failed, number, delay_milliseconds: delay, delay_skipped: isSkipped }) {
    return [
        `${status}, ${failed ? "a set failure" : "as set"}, number ${number}`,
        delay > 0 && `after ${delay} ms`,
        isSkipped && "without its delay: too many others waited",
    ].filter(Boolean).join(", ");
}

function facts(record) {
    const { trace, parameters, pinned } = record.request;
    return section("Record",
        definitions("pairs", [
            ["Received", utcText(record.received_at)],
            ["Decoded again", record.redecoded_at && utcText(record.redecoded_at)],
            ["Kind", record.kind],
            ["Contract", record.contract && record.contract + (pinned ? ", as the receiver is configured" : "")],
            ["Inbox", element("span", { class: "wire" }, record.inbox)],
            ["Id", element("span", { class: "wire mono" }, record.id)],
            ["Sequence", String(record.seq)],
            ["From the path", parameters
                && wireText(Object.entries(parameters).map(([name, value]) => `${name} ${value}`).join(", "))],
            ["Trace", trace && element("span", { class: "wire mono" }, trace)],
            ["Answered", record.answer && answerSentence(record.answer)],
        ]),
        element("p", { class: "actions" },
            element("a", { class: "quiet", href: resultURL(record.id) }, "Open as JSON")));
}

/** What can be done with a result. Nothing is erased or sent without a question that says what happens. */
function resultActions(record, context) {
    const place = element("div", { class: "action-place" });
    const problem = element("div", {});
    const opening = (label, open, attributes) => button(label, async () => {
        problem.replaceChildren();
        try {
            await open();
        } catch (error) {
            if (!(error instanceof ConnectionLost)) throw error;
            problem.replaceChildren(notice(error));
        }
    }, attributes);
    const url = () => location.origin + resultPageURL(record.id);
    const compare = opening("Compare…", async () => {
        const { comparison } = await loaded(import("./compare.js"));
        place.replaceChildren(await comparison(record, () => compare.focus()));
        place.querySelector("select")?.focus();
    });
    return element("div", { class: "result-actions", "data-seq": record.seq },
        element("p", { class: "actions" },
            copyButton("Copy as curl", () => fetchCurl(record.id)),
            copyButton("Copy link", url),
            copyButton("Copy as bug report", async () => (await import("./bug-report.js")).bugReport(record, url())),
            record.kind === "callback" && opening("Send again…", async () => (await dialogs()).sendDialog(record)),
            compare,
            opening("Wait for one like this…", async () => (await dialogs()).waitDialog(record, context.query())),
            exportMenu(record),
            opening("Erase…", async () => (await dialogs()).eraseDialog(record, context), { class: "quiet danger" })),
        problem, place);
}

function exportMenu({ id }) {
    return element("span", { class: "exports" }, "Export: ", ["ndjson", "csv", "har"].map((format) =>
        [element("a", { href: exportURL(`id:${id}`, format), download: true }, format.toUpperCase()), " "]));
}
