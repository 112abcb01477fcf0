// The questions before a result is sent or erased, and commands that wait for another.
// Invariant: a dialog is about the result that is shown, and gives the focus back to the button that opened it.
// Left out: the buttons, see result-detail.js.

import {
    BASE, ConnectionLost, Problem, TIMEOUT_MILLISECONDS, asText, postJSON, request, resultPageURL, resultPath, titleOf,
} from "./api.js";
import { notice } from "./detail.js";
import { button, copyButton, element, utcText, visible, wireText } from "./elements.js";
import { termOf } from "./query-terms.js";

// The server gives a target 20 seconds.
const SENDING_MILLISECONDS = 30_000;

// ---- Dialogs ---------------------------------------------------------------------------------------

/**
 * `submit` is called for Enter in a field, too. Opens nothing, and returns null, if another result came into the
 * record's place since the button was pressed, or if a dialog is open.
 */
function openDialog({ seq }, title, nodes, actions, submit) {
    const place = document.querySelector(`.result-actions[data-seq="${seq}"]`);
    if (!place || place.closest("[inert]") || document.querySelector("dialog")) return null;
    const form = element("form", { novalidate: true },
        element("h2", { id: "dialog-title" }, title), nodes,
        element("p", { class: "actions" }, actions(() => dialog.close())));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        submit?.();
    });
    const dialog = element("dialog", { "aria-labelledby": "dialog-title" }, form);
    const opener = document.activeElement;
    dialog.addEventListener("close", () => {
        dialog.remove();
        if (opener?.isConnected) opener.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** Asks whether to erase, and says what will be gone. */
export function eraseDialog(record, context) {
    const problem = element("div", {});
    const erase = async () => {
        try {
            await request(resultPath(record.id), { method: "DELETE" }, asText);
            dialog.close();
            context.erased(record.id);
        } catch (error) {
            if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
            problem.replaceChildren(notice(error));
        }
    };
    const dialog = openDialog(record, "Erase this result?", [
        element("p", {}, `${titleOf(record.vendor)}, ${utcText(record.received_at)}: `,
            "its request, value and diagnostics will be removed from every list and export at once, "
            + "and from the disk soon after. This can’t be undone."),
        record.flow && element("p", {}, "Its flow stays, without this message."),
        problem,
    ], (close) => [button("Keep it", close, { autofocus: true }), button("Erase", erase, { class: "quiet danger" })]);
}

/** Asks where to send the stored request again, and says what came of it. */
export function sendDialog(record) {
    const answer = element("div", { role: "status" });
    const target = element("input", { type: "url", name: "to", placeholder: "https://host/path", autocomplete: "off" });
    const here = element("input", { type: "radio", name: "where", value: "self", checked: true });
    const there = element("input", { type: "radio", name: "where", value: "url" });
    target.addEventListener("input", () => { there.checked = true; });
    let isSending = false;
    const send = async () => {
        if (isSending) return;
        isSending = true;
        answer.replaceChildren(element("p", {}, "Sending…"));
        try {
            const to = here.checked ? "self" : target.value.trim();
            const { delivery, redacted } = await postJSON(
                `${resultPath(record.id)}/send`, { to }, undefined, SENDING_MILLISECONDS);
            answer.replaceChildren(...sentNodes(delivery, redacted));
        } catch (error) {
            if (!(error instanceof Problem || error instanceof ConnectionLost)) throw error;
            answer.replaceChildren(notice(error));
        } finally {
            isSending = false;
        }
    };
    openDialog(record, "Send this callback again", [
        element("p", {}, "The stored request is sent once more, without what was redacted."),
        element("p", {}, element("label", {}, here, " to this server")),
        element("p", { class: "send-to" }, element("label", {}, there, " to a URL that the server allows"),
            element("label", {}, element("span", { class: "unseen" }, "URL"), target)),
        answer,
    ], (close) => [element("button", { class: "quiet primary" }, "Send"), button("Close", close)], send);
}

function sentNodes(delivery, redacted = []) {
    const sent = redacted.filter((place) => place === "path" || place.endsWith(", inside"));
    const missing = redacted.filter((place) => !sent.includes(place));
    return [
        element("p", {}, element("strong", {}, `Answered ${delivery?.status ?? "nothing"}`),
            delivery?.duration_ms !== undefined && ` in ${delivery.duration_ms} ms.`, " ",
            delivery?.id && element("a", { href: resultPageURL(delivery.id) }, "The attempt")),
        delivery?.failure && element("p", {}, wireText(delivery.failure)),
        missing.length > 0 && element("p", {}, `Not sent, as it is redacted: ${missing.map(visible).join(", ")}.`),
        sent.length > 0 && element("p", {}, `Sent with [redacted] in it: ${sent.map(visible).join(", ")}.`),
    ].filter(Boolean);
}

/** Commands that end when a result comes that `query` finds; without a query, one like the record. */
export async function waitDialog(record, query) {
    const isGuarded = await needsToken();
    const field = element("input", { value: query || termsOf(record), autocomplete: "off", autocapitalize: "off",
        spellcheck: "false" });
    const place = element("div", {});
    const show = () => place.replaceChildren(...waitCommands(field.value.trim(), isGuarded).map((text) =>
        element("div", { class: "command" }, element("code", { class: "wire" }, text), copyButton("Copy", () => text))));
    field.addEventListener("input", show);
    show();
    openDialog(record, "Wait for one like this", [
        element("p", {}, "Each of these ends with exit code 0 as soon as a result comes that this query finds."),
        element("p", { class: "send-to" }, element("label", {}, "Query", field)),
        isGuarded && element("p", {}, "This server asks for its token: put it into the variable LANDFALL_TOKEN first."),
        place,
    ].filter(Boolean), (close) => [button("Close", close, { autofocus: true })]);
}

/** Whether the API answers only those who have the token; false while that can't be asked. */
async function needsToken() {
    try {
        const response = await fetch(`${BASE}/vendors`, {
            method: "HEAD", credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        });
        return response.status === 401;
    } catch {
        return false;
    }
}

const termsOf = ({ kind, vendor, outcome, inbox }) =>
    Object.entries({ kind: kind === "callback" ? null : kind, vendor, outcome, inbox })
        .filter(([, value]) => value).map(([field, value]) => termOf(field, value)).join(" ");

/** For curl and for the command line of the program. */
function waitCommands(query, isGuarded) {
    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    return [
        `curl --fail-with-body -G ${isGuarded ? '-H "Authorization: Bearer $LANDFALL_TOKEN" ' : ""}`
            + `'${location.origin}/api/v1/results/wait' --data-urlencode ${quoted(`q=${query}`)} -d after=now -d within=2m`,
        `landfall results wait --after now --within 2m --server ${location.origin} -- ${quoted(query)}`,
    ];
}
