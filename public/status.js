// How the page stands with the server: the line at the top, the icon of the tab, and the notice of
// a failure.
// Invariant: a failure is said in words, and stays until the page is connected again.
// Left out: trying again, which the caller does.

import { clockDifference } from "./api.js";
import { announce, button, element, problemNotice } from "./elements.js";

const TEXTS = { loading: "Loading…", live: "Live", lost: "Connection lost", refused: "Not shown" };

const line = document.getElementById("refresh");
const icon = document.querySelector("link[rel=icon]");
let shown = "";

/** `explains`: whether a failure is explained here; false where something else does. */
export function showStatus(state, error, explains, retry) {
    line.dataset.state = state;
    const skew = state === "live" ? skewText(clockDifference()) : "";
    document.getElementById("refresh-text").replaceChildren(
        element("span", {}, TEXTS[state]), skew && element("span", { class: "roomy" }, skew));
    const isWrong = state === "lost" || state === "refused";
    const image = isWrong ? "/favicon-lost.svg" : "/favicon.svg";
    // Browsers ask for it again whenever it is set.
    if (icon.getAttribute("href") !== image) icon.href = image;
    const place = document.getElementById("problem");
    if (!isWrong || !explains) {
        place.hidden = true;
        shown = "";
        return;
    }
    const key = `${error.title} ${error.detail}`;
    if (shown === key) return;
    shown = key;
    place.replaceChildren(...problemNotice(error, button("Try again", retry)));
    place.hidden = false;
    announce(error.title ?? TEXTS.lost);
}

function skewText(milliseconds) {
    if (milliseconds === 0) return "";
    const minutes = Math.round(Math.abs(milliseconds) / 60_000);
    const amount = minutes < 1 ? `${Math.round(Math.abs(milliseconds) / 1_000)} s`
        : minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
    return `this device’s clock is ${amount} ${milliseconds > 0 ? "behind" : "ahead"}`;
}
