// One flow in full: what became of it, its link, and its messages in their order.
// Invariant: a QR code and a link with credentials are known only to the page that made them, and
// only while it is open; the store has them redacted.
// Left out: the panel around it, see detail.js.

import { flowPageURL, readVendors, resultPageURL, titleOf } from "./api.js";
import { definitions, diagnosticsList, section } from "./detail.js";
import {
    badge, copyButton, element, localTime, utcText, wireText, words,
} from "./elements.js";
import { flowScale, isDecision } from "./flow-scale.js";
import { fetchFlow, flowURL } from "./flows-api.js";
import { duration, stateBadge } from "./flows-table.js";
import { qrCode } from "./qr-code.js";
import { summaryOf } from "./summary.js";

const MEANINGS = {
    launched: "The callback may still come.",
    returned: "A final callback came.",
    lost: "No final callback came in time.",
    orphan: "A callback came that names a launch nobody knows.",
    duplicate: "The callback that ended it came once more, exactly the same.",
};
const EVENTS = { callback: "The callback comes", delivery: "The emulator sends the callback" };
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;
const OPENS = /^(https?|intelligenceretail|welltory):/i;
const NOT_SHOWN = /\[(redacted|hidden)\]|%5B(redacted|hidden)%5D/i;

export function createFlowDetail() {
    const minted = new Map();

    async function load(id) {
        const [flow] = await Promise.all([fetchFlow(id), readVendors()]);
        const link = minted.get(id) ?? storedLink(flow);
        return {
            title: `${titleOf(flow.vendor)} flow`,
            nodes: [facts(flow), link && linkSection(link), timeline(flow)].filter(Boolean),
        };
    }

    return { load, keep: (answer) => minted.set(answer.flow, answer) };
}

function facts(flow) {
    return element("div", { class: "facts" },
        element("p", { class: "lead" }, stateBadge(flow), " ",
            flow.outcome && element("span", { "data-outcome": flow.outcome }, words(flow.outcome)),
            flow.verdict && flow.verdict !== "decoded" && badge(flow.verdict)),
        element("p", { class: "meaning" }, MEANINGS[flow.state] ?? "",
            flow.out_of_order && " One that tells of work in progress came after it."),
        definitions("pairs", [
            ["Launched", timeFact(flow.launched_at)],
            ["Returned", timeFact(flow.returned_at)],
            ["Took", flow.latency_ms === null ? null : duration(flow.latency_ms)],
            ["A person took", flow.person_ms === null ? null : duration(flow.person_ms)],
            ["Contract", flow.contract],
            ["Inbox", flow.inbox && element("span", { class: "wire" }, flow.inbox)],
            ["Id", element("span", { class: "wire mono" }, flow.id)],
        ]),
        element("p", { class: "actions" },
            // The page's own address may have the token in it.
            copyButton("Copy page link", () => location.origin + flowPageURL(flow.id)),
            element("a", { class: "quiet", href: flowURL(flow.id) }, "Open as JSON")));
}

function timeFact(timestamp) {
    return timestamp && [localTime(timestamp, { precise: true }),
        element("span", { class: "soft" }, ` (${utcText(timestamp)})`)];
}

// ---- The link ------------------------------------------------------------------------------------

/** The link of a launch that was made here, as it was stored; undefined where there is none. */
function storedLink({ messages }) {
    const made = messages.find((message) => message.kind === "launch" && message.record?.result?.url);
    return made && { url: made.record.result.url, diagnostics: made.record.diagnostics ?? [] };
}

/** A launch's link with its QR code, and what to do with it. */
export function linkSection(link) {
    const mayOpen = !NOT_SHOWN.test(link.url);
    return section("Launch link",
        element("div", { class: "launch" },
            link.qr_code && qrCode(link.qr_code, "QR code of the launch link"),
            element("div", {},
                element("p", { class: "mono link" }, wireText(link.url)),
                mayOpen
                    ? element("p", { class: "actions" },
                        copyButton("Copy link", () => link.url),
                        OPENS.test(link.url) && element("a", { class: "quiet", href: link.url }, "Open"),
                        link.emulator_url && element("a", { class: "quiet", href: link.emulator_url,
                            target: "_blank", rel: "noopener" }, "Open in the emulator"))
                    : element("p", { class: "soft" }, "What is secret in the link was not stored."),
                staysHere(link.callback) && element("p", { class: "soft" },
                    "The callback leads to this machine. For a phone, open this page by a name or "
                        + "address that the phone reaches, and make the link again."))),
        diagnosticsList(link.diagnostics));
}

function staysHere(callback) {
    return callback && URL.canParse(callback) && LOOPBACK.test(new URL(callback).hostname);
}

// ---- Messages ------------------------------------------------------------------------------------

function timeline(flow) {
    const { messages, state } = flow;
    const scale = flowScale(flow);
    const items = messages.map((message, index) => timelineItem(message, messages[index - 1]));
    if (state === "launched") items.push(waitingItem("waiting", "The callback is awaited."));
    if (state === "lost") items.push(waitingItem("lost", "No final callback came."));
    if (state === "orphan") items.unshift(waitingItem("orphan", "No launch is known."));
    return section("Timeline", scale, element("ol", { class: "timeline" }, items));
}

function timelineItem(message, former) {
    const { id, kind, after_ms: after, outcome, verdict, record } = message;
    const gap = former && after !== 0 ? after - former.after_ms : null;
    return element("li", { "data-kind": kind },
        element("p", { class: "moment" }, `+${duration(after)}`,
            former?.after_ms > 0 && element("span", { class: "soft" }, ` ${duration(gap)} later`)),
        element("div", { class: "event" },
            element("p", {},
                element("a", { href: resultPageURL(id) }, eventOf(message)), " ",
                outcome && element("span", { "data-outcome": outcome }, words(outcome)), " ",
                kind !== "delivery" && verdict && verdict !== "decoded" && badge(verdict)),
            record && element("p", { class: "summary wire" }, kind === "launch"
                ? launchSummary(record) : summaryOf(record)),
            element("p", { class: "soft" }, localTime(message.received_at))));
}

function eventOf(message) {
    const { kind, record } = message;
    if (kind !== "launch") return EVENTS[kind] ?? words(kind);
    if (isDecision(message)) return "A person decides";
    return record?.result?.url ? "The link is made" : "The vendor’s app is opened";
}

/** What was asked for, and how the emulator answers. */
function launchSummary({ result, ...record }) {
    const { callback, back_url_scheme, ...parameters } = result?.parameters ?? {};
    const scenario = result?.scenario ? { scenario: result.scenario } : {};
    return summaryOf({ ...record, result: { ...parameters, ...scenario } });
}

function waitingItem(name, text) {
    return element("li", { "data-kind": name }, element("p", { class: "moment soft" }, "–"),
        element("p", { class: "event soft" }, text));
}
