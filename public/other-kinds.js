// What a record other than a callback tells: a request that was sent, or one that no receiver took.
// Left out: launches, whose flow says it; the record's other sections, see result-detail.js.

import { resultPageURL } from "./api.js";
import { copyButton, element, wireText } from "./elements.js";

/** Paragraphs for the head of the panel. */
export function storyOf(record) {
    if (record.kind === "delivery" && record.result) return deliveryStory(record.result);
    return record.kind === "stray" ? strayStory(record) : [];
}

function deliveryStory({ attempt, status, failure, duration_ms: took, next_attempt_ms: next, outcome, rule, result }) {
    return [
        element("p", {}, `Attempt ${attempt} `, status
            ? `was answered with ${status} in ${took} ms.` : ["got no response: ", wireText(sentence(failure ?? "unknown"))],
        outcome === "dead" && " It was given up.",
        next !== null && ` The next one follows after ${next < 1_000 ? `${next} ms` : `${Math.round(next / 1_000)} s`}.`),
        result && element("p", {}, element("a", { href: resultPageURL(result) }, "The callback"),
            rule ? [" was forwarded by the rule ", element("span", { class: "wire mono" }, rule), "."] : " was sent again."),
    ];
}

const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

function strayStory({ id, result }) {
    const { status, problem, nearest = [] } = result ?? {};
    const reason = status === 404 ? "No receiver has this address." : `It was refused with ${status}: ${problem}.`;
    const command = `landfall results adopt ${id} --vendor ${nearest[0]?.vendor ?? "VENDOR"} --server ${location.origin}`;
    return [
        element("p", {}, `${reason} It is kept as it came.`, nearest.length > 0 && " The nearest receivers, and what differs:"),
        nearest.length > 0 && element("ul", {}, nearest.map(({ route, differs }) => element("li", {},
            element("span", { class: "wire mono" }, route), ": ", wireText(differs.join("; "))))),
        element("p", { class: "soft" }, "To receive it as a callback of a vendor, adopt it:"),
        element("div", { class: "command" },
            element("code", { class: "wire" }, command), copyButton("Copy", () => command)),
    ];
}
