// Where callbacks are forwarded: how each target does, what waits for it or was given up, and the last attempts.
// Invariant: every attempt is a record, so the page reads this again whenever something has changed.
// Left out: the rules, which are in the configuration.

import { listResults, resultPageURL } from "./api.js";
import { definitions, section, showIn } from "./detail.js";
import { button, element, localTime, wireText } from "./elements.js";
import { listDeliveries, retryDeliveries } from "./flows-api.js";
import { duration } from "./flows-table.js";

const SHOWN = 10;
const SHOWN_ATTEMPTS = 20;
const READ_DELIVERIES = 100;
// The server counts up to so many, and lists up to so many.
const MOST_PENDING = 20_000;
const MOST_LISTED = 10_000;
const OUTCOMES = { delivered: "delivered", failed: "failed", dead: "failed and given up" };

/** The content of the panel. */
export async function forwardingView() {
    const [{ targets }, attempts] = await Promise.all([listDeliveries({ limit: 1 }), lastAttempts()]);
    const [pending, dead] = await Promise.all(["pending", "dead"].map((state) => firstDeliveries(targets, state)));
    const nodes = targets.map((target) => targetSection(target, pending, dead));
    if (targets.length === 0) {
        nodes.push(element("p", {}, "No callback is forwarded: the configuration has no rule under ",
            element("code", {}, "forward"), "."));
    }
    if (targets.length > 0 || attempts.length > 0) nodes.push(attemptSection(attempts));
    return { title: "Forwarding", nodes };
}

/** At least what is shown of each target: a rule's answer has all of its first target before those of the next. */
async function firstDeliveries(targets, state) {
    const byRule = Map.groupBy(targets.filter((target) => target[state] > 0), ({ rule }) => rule);
    const answers = await Promise.all([...byRule].map(([rule, own]) => {
        const limit = own.slice(0, -1).reduce((sum, target) => sum + target[state], SHOWN);
        return listDeliveries({ state, rule, limit: Math.min(limit, MOST_LISTED) });
    }));
    return answers.flatMap(({ deliveries }) => deliveries);
}

// Deliveries of the emulator have no rule.
async function lastAttempts() {
    const { results } = await listResults("kind:delivery", {
        limit: READ_DELIVERIES, fields: "id,received_at,result,request.host,request.target",
    });
    return results.filter(({ result }) => result?.rule).slice(0, SHOWN_ATTEMPTS);
}

function targetSection(target, allPending, allDead) {
    const { rule, url, ordered, pending, dead, failures_in_a_row: failures } = target;
    const own = (list) => list.filter((delivery) => delivery.rule === rule && delivery.url === url);
    const [sign, verdict, text] = stateOf(target);
    const oldest = target.oldest_pending_seconds > 0 && `, the oldest for ${duration(target.oldest_pending_seconds * 1_000)}`;
    const said = element("div", { role: "status" });
    return section([wireText(rule), " → ", wireText(url)],
        element("p", { class: "lead" }, element("span", { class: "badge", "data-verdict": verdict },
            element("span", { "aria-hidden": "true" }, `${sign} `), text)),
        target.paused_until && element("p", { class: "meaning" },
            "So many attempts have failed that only one at a time is made, the next at ", localTime(target.paused_until), "."),
        definitions("pairs", [
            ["Waiting", [counted(pending), pending === MOST_PENDING && " or more", oldest]],
            ["Given up", counted(dead)],
            ["Failures", failures > 0 ? `${counted(failures)} in a row` : null],
            ["Order", ordered ? "one after the other" : null],
        ]),
        deliveryList("Waiting", own(allPending), pending),
        deliveryList("Given up", own(allDead), dead),
        pending + dead + failures > 0 && element("p", { class: "actions" }, button("Try again now", () =>
            showIn(said, async () => `${counted((await retryDeliveries(rule)).retried)} tried again.`))),
        said);
}

/** A sign, the look, and words. */
function stateOf({ paused_until: pausedUntil, failures_in_a_row: failures, pending, dead }) {
    if (pausedUntil) return ["✗", "undecodable", "paused"];
    if (failures > 0) return ["!", "decoded_with_warnings", "failing"];
    if (dead > 0) return ["!", "decoded_with_warnings", "some were given up"];
    return pending > 0 ? ["…", "unmatched", "sending"] : ["✓", "decoded", "nothing waits"];
}

const counted = (number) => number.toLocaleString();

function deliveryList(title, deliveries, count) {
    const shown = deliveries.slice(0, SHOWN);
    const others = counted(count - shown.length);
    if (count === 0) return null;
    return [
        element("h4", {}, title),
        shown.length > 0 && element("ul", {}, shown.map(deliveryItem)),
        count > shown.length && element("p", { class: "soft" },
            shown.length > 0 ? `and ${others} more` : `${others} not listed`),
    ];
}

function deliveryItem({ result, seq, attempts, status, next_attempt_at: next }) {
    const tried = attempts === 1 ? "1 attempt" : `${counted(attempts)} attempts`;
    return element("li", {},
        element("a", { href: resultPageURL(result) }, `Callback ${seq}`),
        attempts === 0 ? ": not tried yet" : [`: ${tried}, ${status ? `answered ${status}` : "no response"}`,
            next && [", next at ", localTime(next)]]);
}

function attemptSection(attempts) {
    return section("Last attempts", attempts.length === 0
        ? element("p", { class: "soft" }, `None is among the newest ${READ_DELIVERIES} deliveries.`)
        : element("ul", {}, attempts.map(attemptItem)));
}

function attemptItem({ id, received_at: at, result, request }) {
    const { rule, attempt, status, failure, outcome, duration_ms: took } = result;
    return element("li", {},
        element("a", { href: resultPageURL(id) }, localTime(at)),
        " ", wireText(`${rule} → ${request.host}${request.target}`), `, attempt ${attempt}: `,
        element("span", { "data-outcome": outcome === "delivered" ? null : "error" }, OUTCOMES[outcome] ?? ""), ", ",
        status ? `answered ${status} in ${duration(took)}` : wireText(failure ?? "no response"));
}
