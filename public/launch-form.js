// The form that makes a launch link: whose app, the parameters that it wants, and where to come back to.
// Invariant: what is in the link is decided by the server; this knows the names of parameters, and
// which of them are needed, to ask for them. What was typed stays until the page is left.
// Left out: showing the link, which its flow's detail does.

import { ConnectionLost, Problem, mintLaunch } from "./api.js";
import { notice } from "./detail.js";
import { element } from "./elements.js";

const RECEIVER = {
    name: "callback",
    hint: "A whole URL, of https or your app’s scheme; left empty, this server receives it.",
};
const SCHEME = { name: "back_url_scheme", hint: "The scheme of your app, as in partnerapp." };
const AILET = "login! password!";

// What can be launched: contract, parameters (with ! where needed), where the answer goes, and what
// is given besides.
const LAUNCHES = {
    "Dimmy": {
        "Flux": { contract: "flux", wanted: "flowName! code", callback: RECEIVER },
        "Dimmy 2024": { contract: "dimmy-2024", wanted: "flow! code", callback: RECEIVER },
    },
    "Welltory": {
        "Measurement": { contract: "welltory-dds", wanted: "source!", callback: RECEIVER, takesMore: true },
    },
    "Ailet": {
        "Visit": ailet("visit", `${AILET} store_id! visit_id! user_id task_id`, SCHEME),
        "Report": ailet("report", `${AILET} visit_id! user_id task_id`, { ...SCHEME, isNeeded: true }),
        "Summary report": ailet("summaryReport", `${AILET} visit_id! user_id task_id`, SCHEME),
        "Show a visit’s report": ailet("showVisitReport", `${AILET} visit_id! user_id task_id`),
        "Sync": ailet("sync", `${AILET} user_id`, SCHEME),
        "Sync catalogues": ailet("syncCatalogs", `${AILET} user_id`),
    },
    "Rezolve": {
        "Trigger": rezolve("partner! merchant! category! product ad placement"),
        "Instant": rezolve("path!"),
        "Engagement": rezolve("engagementid! region"),
    },
};

function ailet(method, wanted, callback) {
    return { contract: "ailet-deeplink", wanted, callback, given: { method } };
}

function rezolve(wanted) {
    return { contract: "rezolve-trigger", wanted };
}

const KINDS = Object.entries(LAUNCHES).flatMap(([vendor, kinds]) =>
    Object.entries(kinds).map(([label, kind]) => ({ vendor, label, ...kind })));

/** `onMade` gets the API's answer. */
export function createLaunchForm(onMade) {
    const choice = element("select", { name: "kind" }, KINDS.map(({ vendor, label }, index) =>
        element("option", { value: String(index) }, `${vendor} · ${label}`)));
    const fields = element("div", { class: "fields" });
    const problem = element("div", {});
    const submit = element("button", { type: "submit", class: "primary" }, "Make the link");
    const form = element("form", { class: "launch-form" },
        element("label", { class: "field" }, element("span", {}, "Vendor"), choice),
        fields, problem, element("p", { class: "actions" }, submit));
    const typed = {};
    let isBusy = false;

    const kind = () => KINDS[Number(choice.value)];

    function showFields() {
        problem.replaceChildren();
        const { wanted, callback, takesMore } = kind();
        fields.replaceChildren(...[
            ...wanted.split(" ").map((name) =>
                field(name.replace("!", ""), { isNeeded: name.endsWith("!"), typed })),
            takesMore && field("more", { label: "More parameters", typed, tag: "textarea",
                hint: "name=value, one on a line; Welltory’s Android app sends them back." }),
            callback && field(callback.name, { ...callback, typed }),
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

function orderOf({ contract, wanted, callback, given = {} }, data) {
    const value = (name) => (data.get(name) ?? "").trim();
    const parameters = { ...given };
    const names = wanted.replaceAll("!", "").split(" ");
    if (callback?.name === SCHEME.name) names.push(SCHEME.name);
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
        ...(callback === RECEIVER && value("callback") && { callback: value("callback") }),
        ...(value("inbox") && { inbox: value("inbox") }),
    };
}
