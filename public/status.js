// How the page stands with the server: the line at the top, the icon of the tab, and the notice of
// a failure.
// Invariant: a failure is said in words, and stays as long as it lasts.
// Left out: trying again, which the caller does.

import { clockDifference } from "./api.js";
import { announce, button, element, problemNotice } from "./elements.js";

const FIRST_MILLISECONDS = 5_000;
const CHECK_MILLISECONDS = 60_000;
const ICON = "/favicon.svg";
// The same with a red dot; part of the page, because nothing can be loaded when it's needed.
const LOST_ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b6670"/>
<path d="M16 6v11m-5-5 5 5 5-5" fill="none" stroke="#fff" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/>
<path d="M6 23c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" fill="none" stroke="#9fe0e0" stroke-width="2.8" stroke-linecap="round"/>
<circle cx="25" cy="7" r="6" fill="#c62f37" stroke="#fff" stroke-width="1.5"/></svg>`)}`;
const TEXTS = { loading: "Loading…", live: "Live", lost: "Connection lost", refused: "Not shown" };

const line = document.getElementById("refresh");
const icon = document.querySelector("link[rel=icon]");
let shown = "";
let timer = 0;

/** `explains`: whether a failure is explained here; false where something else does. */
export function showStatus(state, error, explains, retry) {
    line.dataset.state = state;
    const skew = state === "live" ? skewText(clockDifference()) : "";
    document.getElementById("refresh-text").replaceChildren(
        element("span", {}, TEXTS[state]), skew && element("span", { class: "roomy" }, skew));
    const isWrong = state === "lost" || state === "refused";
    const image = isWrong ? LOST_ICON : ICON;
    // Browsers ask for it again whenever it is set, and the server may still be gone while something is loading.
    if (state !== "loading" && icon.getAttribute("href") !== image) icon.href = image;
    explain(isWrong && explains ? error : null, button("Try again", retry));
    clearTimeout(timer);
    if (state === "live") timer = setTimeout(checkServer, FIRST_MILLISECONDS);
}

/** Shows what is wrong, until it is called with null. */
function explain(error, ...actions) {
    const place = document.getElementById("problem");
    place.hidden = !error;
    const key = error ? `${error.title} ${error.detail}` : "";
    if (shown === key) return;
    shown = key;
    if (!error) return;
    place.replaceChildren(...problemNotice(error, ...actions));
    announce(error.title ?? TEXTS.lost);
}

/** What is connected may still be unable to store what comes. */
async function checkServer() {
    timer = setTimeout(checkServer, CHECK_MILLISECONDS);
    if (document.hidden) return;
    const mine = timer;
    const answer = await fetch(`${location.origin}/readyz`, { cache: "no-store" }).then((response) => response.json())
        .catch(() => null);
    if (mine !== timer) return;
    const failed = answer?.status === "not ready" ? answer.checks.filter(({ status }) => status === "fail") : [];
    const detail = failed.map((check) => `${check.name}: ${check.detail}`).join(" ");
    explain(detail ? { title: "The server can’t do all of its work", detail } : null);
}

function skewText(milliseconds) {
    if (milliseconds === 0) return "";
    const minutes = Math.round(Math.abs(milliseconds) / 60_000);
    const amount = minutes < 1 ? `${Math.round(Math.abs(milliseconds) / 1_000)} s`
        : minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
    return `this device’s clock is ${amount} ${milliseconds > 0 ? "behind" : "ahead"}`;
}
