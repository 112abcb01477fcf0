// The form that makes a launch link: whose app, the parameters that it wants, and where to come back to.
// Invariant: the server says what can be launched, and decides what is in the link. What was typed
// stays until the page is left.
// Left out: showing the link, which its flow's detail does.

import { ConnectionLost, Problem, listVendors } from "./api.js";
import { notice } from "./detail.js";
import { button, element } from "./elements.js";
import { mintLaunch } from "./flows-api.js";

const RECEIVER_HINT = "A whole URL, of https or your app’s scheme; left empty, this server receives it.";
const SCHEME_HINT = "The scheme of your app, as in partnerapp.";

/** A place for the form, which comes when the server has said what can be launched. `onMade` gets the API's answer. */
export function createLaunchForm(onMade) {
    const place = element("div", {}, element("p", { class: "soft" }, "Loading…"));
    async function load() {
        try {
            place.replaceChildren(createForm(kindsOf(await listVendors()), onMade));
        } catch (error) {
            if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
            place.replaceChildren(notice(error), button("Try again", load));
        }
    }
    load();
    return place;
}

/** What a person may choose: the kinds of links of all vendors, each with its label. */
function kindsOf(vendors) {
    return vendors.flatMap((vendor) => vendor.launches.map((kind) => ({
        ...kind,
        label: kind.title === vendor.title ? kind.title : `${vendor.title} · ${kind.title}`,
    })));
}

function createForm(kinds, onMade) {
    const choice = element("select", { name: "kind" }, kinds.map(({ label }, index) =>
        element("option", { value: String(index) }, label)));
    const fields = element("div", { class: "fields" });
    const problem = element("div", {});
    const submit = element("button", { type: "submit", class: "primary" }, "Make the link");
    const form = element("form", { class: "launch-form" },
        element("label", { class: "field" }, element("span", {}, "Vendor"), choice),
        fields, problem, element("p", { class: "actions" }, submit));
    const typed = {};
    let isBusy = false;

    const kind = () => kinds[Number(choice.value)];

    function showFields() {
        problem.replaceChildren();
        const { parameters, callback, takes_others: takesOthers } = kind();
        fields.replaceChildren(...[
            ...parameters.map(({ name, required }) => field(name, { isNeeded: required, typed })),
            takesOthers && field("more", { label: "More parameters", typed, tag: "textarea",
                hint: "name=value, one on a line." }),
            callback && field(fieldOf(callback), { typed, isNeeded: callback.required,
                hint: callback.scheme ? SCHEME_HINT : RECEIVER_HINT }),
            field("inbox", { typed, hint: "Where the callback lands; left empty, in “default”." }),
        ].filter(Boolean));
    }

    async function send() {
        isBusy = true;
        submit.disabled = true;
        problem.replaceChildren();
        try {
            onMade(await mintLaunch(orderOf(kind(), new FormData(form))));
        } catch (error) {
            if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
            problem.replaceChildren(notice(error));
            markNamed(error);
        } finally {
            isBusy = false;
            submit.disabled = false;
        }
    }

    // The server names the parameter in its sentence.
    function markNamed({ errors = [] }) {
        const text = errors.map((entry) => `${entry?.name} ${entry?.detail}`).join(" ").split("Known:")[0];
        const input = [...fields.querySelectorAll("[name]")].find((node) =>
            text.split(/[^\w]+/).includes(node.name));
        input?.setAttribute("aria-invalid", "true");
        input?.focus();
    }

    choice.addEventListener("change", showFields);
    fields.addEventListener("input", ({ target }) => {
        typed[target.name] = target.value;
        target.removeAttribute("aria-invalid");
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!isBusy) send();
    });
    showFields();
    return form;
}

function field(name, { label = name, hint = "", isNeeded = false, typed, tag = "input" }) {
    const hintId = hint && `hint-${name}`;
    const input = element(tag, {
        name, type: tag === "input" && (name === "password" ? "password" : "text"),
        required: isNeeded, rows: tag === "textarea" && "2", autocomplete: "off", autocapitalize: "off",
        spellcheck: "false", "aria-describedby": hintId || null,
    });
    input.value = typed[name] ?? "";
    return element("div", { class: "field" },
        element("label", {}, element("span", {}, label),
            !isNeeded && element("span", { class: "soft" }, " optional"), input),
        hint && element("p", { class: "soft", id: hintId }, hint));
}

// A callback that the server can receive itself is called so, whatever the vendor calls it.
const fieldOf = (callback) => (callback.scheme ? callback.name : "callback");

function orderOf({ contract, parameters: wanted, callback, given }, data) {
    const value = (name) => (data.get(name) ?? "").trim();
    const parameters = { ...given };
    const names = wanted.map(({ name }) => name);
    if (callback?.scheme) names.push(callback.name);
    for (const name of names) {
        if (value(name)) parameters[name] = name === "password" ? data.get(name) : value(name);
    }
    for (const line of value("more").split("\n").filter((line) => line.trim())) {
        const [name, ...rest] = line.split("=");
        parameters[name.trim()] = rest.join("=").trim();
    }
    return {
        contract,
        parameters,
        ...(callback && !callback.scheme && value("callback") && { callback: value("callback") }),
        ...(value("inbox") && { inbox: value("inbox") }),
    };
}
