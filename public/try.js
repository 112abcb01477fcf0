// The page for trying: decode without storing, send values, make a launch, choose what the emulator
// does, and what receivers answer.
// Invariant: nothing is stored but what is sent or launched on purpose.
// Left out: decoding itself, and what vendors can do, which the server says.

import { listVendors, resultPageURL } from "./api.js";
import { setUpAnswers } from "./answer-form.js";
import { focusOn, loaded, readIn, showIn } from "./detail.js";
import { cardOf } from "./drawing.js";
import { badge, copyButton, element, verdictText, wireText, words } from "./elements.js";
import { findingsSection } from "./findings.js";
import { linkSection } from "./flow-detail.js";
import { listenToKeys } from "./keys.js";
import { createLaunchForm } from "./launch-form.js";
import { decodePasted, fetchPlan, resetPlan, savePlan, sendMeasurement } from "./tools-api.js";
import { valueTree } from "./value-tree.js";
import { prettyJSON } from "./written-json.js";

const LOOKS_LIKE_URL = /^(\/|[a-z][a-z0-9+.-]*:)/i;

const form = (id) => document.getElementById(id);
let possible = [];
let planned = Promise.resolve();     // what was last asked of a plan
const [decodeForm, sliders, plan] = ["decode", "sliders", "plan"].map(form);

function onSubmit(node, place, act, show = showIn) {
    node.addEventListener("submit", (event) => {
        event.preventDefault();
        show(place, act);
    });
}

// ---- Decoding --------------------------------------------------------------------------------------

async function decode() {
    // A URL's query, as it's copied from an address, is parameters.
    const text = decodeForm.pasted.value.trim().replace(/^\?/, "");
    const isURL = LOOKS_LIKE_URL.test(text) && !/^[[{]/.test(text);
    const decoded = await decodePasted({
        ...(isURL ? { url: text } : { body: text }),
        ...(decodeForm.vendor.value && { vendor: decodeForm.vendor.value }),
    });
    const hasError = decoded.diagnostics.some(({ severity }) => severity === "error");
    const picture = await cardOf(decoded);
    const { roadOf } = await loaded(import("./road.js"));
    const count = decoded.diagnostics.length;
    const spoken = [verdictText({ verdict: decoded.verdict, hasError }), decoded.outcome && words(decoded.outcome),
        count > 0 && (count === 1 ? "1 diagnostic" : `${count} diagnostics`)].filter(Boolean).join(", ");
    const nodes = [
        element("p", { class: "lead" }, badge(decoded.verdict, { hasError }), " ",
            decoded.outcome && element("span", { "data-outcome": decoded.outcome }, words(decoded.outcome)), " ",
            element("span", { class: "soft" }, decoded.contract ?? "no contract recognised")),
        roadOf(decoded.layers),
        await findingsSection(decoded),
        picture,
        decoded.result !== null && valueTree(decoded.result),
        decoded.result !== null && element("p", { class: "actions" },
            copyButton("Copy JSON", () => prettyJSON(decoded.result))),
    ];
    return { nodes, spoken };
}

// ---- Sending and launching -------------------------------------------------------------------------

async function send() {
    const { id, verdict, answer } = await sendMeasurement(new URLSearchParams(new FormData(sliders)));
    if (!id) return element("p", {}, "Sent. The receiver answered ", wireText(answer));
    return element("p", {}, badge(verdict), " ", element("a", { href: resultPageURL(id) }, "The result"));
}

function showValues() {
    for (const input of sliders.querySelectorAll("input")) input.nextElementSibling.value = input.value;
}

// ---- The emulator ----------------------------------------------------------------------------------

function showPlan({ scenarios, repeat }) {
    plan.repeat.checked = repeat;
    form("plan-state").textContent = scenarios.length === 0
        ? "The app answers each launch with completed, or asks on its screen."
        : `Next: ${scenarios.join(", ")}${repeat ? ", again and again" : ""}.`;
}

/** What this vendor's app can do, with a sentence for each; the faults after the usual ends. */
function showScenarios() {
    const group = (label, isCommon) => element("optgroup", { label },
        possible.filter(({ common }) => common === isCommon).flatMap(({ choices }) => choices)
            .map((name) => element("option", {}, name)));
    plan.scenario.replaceChildren(group("As people use it", true), group("Late, repeated and broken", false));
    explainScenario();
}

function explainScenario() {
    form("plan-meaning").textContent =
        possible.find(({ choices }) => choices.includes(plan.scenario.value))?.summary ?? "";
}

const readPlan = () => readIn(form("plan-problem"), async () => {
    const vendor = plan.vendor.value;
    possible = [];
    showScenarios();
    form("plan-state").textContent = "";
    const answer = await fetchPlan(vendor);
    // Another vendor was chosen meanwhile.
    if (vendor !== plan.vendor.value) return null;
    possible = answer.possible;
    showScenarios();
    showPlan(answer);
    return null;
});

/** Shows the plan that `act` resolves to, for the chosen vendor and after what was asked of plans before. */
function afterOthers(act) {
    const vendor = plan.vendor.value;
    const next = async () => {
        const answer = await act(vendor);
        if (vendor === plan.vendor.value) showPlan(answer);
        return null;
    };
    planned = planned.then(next, next);
    return planned;
}

/** Saves the plan with `added` scenarios at its end. */
function addToPlan(...added) {
    const repeat = plan.repeat.checked;
    return afterOthers(async (vendor) => {
        const { scenarios } = await fetchPlan(vendor);
        return savePlan(vendor, { scenarios: [...scenarios, ...added], repeat });
    });
}

async function start() {
    const vendors = await listVendors();
    const options = (list) => list.map(({ name, title }) => element("option", { value: name }, title));
    decodeForm.vendor.append(...options(vendors.filter(({ name }) => name !== "raw")));
    plan.vendor.append(...options(vendors.filter(({ launches }) => launches.length > 0)));
    form("answer").vendor.append(...options(vendors));
    readPlan();
    readAnswer();
}

listenToKeys({ "/": ["To the text to decode", () => decodeForm.pasted.focus()] });
onSubmit(decodeForm, form("decoded"), decode, readIn);
onSubmit(sliders, form("sent"), send);
onSubmit(plan, form("plan-problem"), () => addToPlan(plan.scenario.value));
plan.vendor.addEventListener("change", readPlan);
plan.scenario.addEventListener("change", explainScenario);
plan.repeat.addEventListener("change", () => showIn(form("plan-problem"), () => addToPlan()));
// The app may have used it up in another tab.
document.addEventListener("visibilitychange", () => {
    const place = form("plan-problem");
    const isFree = !place.hasChildNodes() && !place.hasAttribute("aria-busy");
    if (!document.hidden && possible.length > 0 && isFree) readIn(place, () => afterOthers(fetchPlan));
});
form("reset").addEventListener("click", () => showIn(form("plan-problem"), async () => {
    await resetPlan(plan.vendor.value);
    return readPlan();
}));
const readAnswer = setUpAnswers(form("answer"), form("answer-state"), (act) =>
    showIn(form("answer-problem"), async () => {
        await act();
        return null;
    }));
sliders.addEventListener("input", showValues);
form("launch").append(createLaunchForm((minted) => {
    form("made").replaceChildren(linkSection(minted),
        element("p", {}, element("a", { href: `/flows.html#${minted.flow}` }, "Its flow")));
    form("made").scrollIntoView({ block: "nearest" });
    focusOn(form("made"));
}));
readIn(form("plan-problem"), start);
