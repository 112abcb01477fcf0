// Says that results arrived to people who don't look: in the title, to screen readers, and, for
// those who ask for it, as notifications of the system.
// Invariant: however many arrive, one thing is said in each interval.
// Left out: showing the results.

import { titleOf } from "./api.js";
import { announce, sayBeside } from "./elements.js";
import { remember, remembered } from "./storage.js";

const FIRST_MILLISECONDS = 2_000;
// While results keep coming, a screen reader has time for something else.
const INTERVAL_MILLISECONDS = 10_000;
const WANTED = "landfall-notify";
const NOT_ALLOWED = "The browser doesn’t allow notifications from this page";

/** `toggle` is the button that turns notifications on and off, `listTitle` the title of the page without a result. */
export function createNotifier(toggle, listTitle) {
    let title = listTitle;
    let unseen = 0;
    let unsaid = 0;
    let newest = null;
    let timer = 0;
    let saidAt = -Infinity;

    const isOn = () => "Notification" in window && remembered(WANTED) === "yes"
        && Notification.permission === "granted";

    function showTitle() {
        document.title = unseen > 0 ? `(${unseen.toLocaleString()}) ${title}` : title;
    }

    function clear() {
        unseen = 0;
        showTitle();
    }

    /** What the title says besides how many came; without it, that of the list. */
    function setTitle(text = listTitle) {
        title = text;
        showTitle();
    }

    function add(records) {
        unseen += records.length;
        unsaid += records.length;
        newest = records.at(-1);
        showTitle();
        const wait = saidAt + INTERVAL_MILLISECONDS - performance.now();
        timer ||= setTimeout(say, Math.max(FIRST_MILLISECONDS, wait));
    }

    function say() {
        timer = 0;
        saidAt = performance.now();
        const text = unsaid === 1 ? "1 new result" : `${unsaid.toLocaleString()} new results`;
        unsaid = 0;
        announce(text);
        if (document.hidden && isOn()) {
            notify(text, `${titleOf(newest.vendor)}: ${newest.summary}`);
        }
    }

    function notify(text, body) {
        try {
            new Notification(text, { body, tag: "landfall" });
        } catch {
            // Chrome on Android has the class, but not for pages.
            remember(WANTED, "no");
            sayBeside(toggle, NOT_ALLOWED);
            showToggle();
        }
    }

    function showToggle() {
        toggle.setAttribute("aria-pressed", String(isOn()));
    }

    if ("Notification" in window && isSecureContext) {
        toggle.hidden = false;
        showToggle();
        toggle.addEventListener("click", async () => {
            const turnsOn = !isOn();
            const isAllowed = turnsOn && await Notification.requestPermission() === "granted";
            remember(WANTED, isAllowed ? "yes" : "no");
            if (turnsOn && !isAllowed) sayBeside(toggle, NOT_ALLOWED);
            showToggle();
        });
    }
    // Whoever moves in the page has seen what it shows.
    for (const name of ["pointermove", "keydown", "scroll", "focus"]) {
        addEventListener(name, () => {
            if (unseen > 0 && scrollY <= 40) clear();
        }, { passive: true });
    }
    return { add, clear, setTitle };
}
