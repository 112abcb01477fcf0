// The keys of a page, and the dialog that lists them.
// Invariant: a single key does something only outside of fields, and not at all for people who
// turned single keys off (WCAG 2.1.4).
// Left out: the keys of rows and of the search box, which belong to them.

import { sayBeside } from "./elements.js";
import { remembered } from "./storage.js";

export const OFF = "landfall-keys-off";

/** `keys` has [what it does, action] by `event.key`. */
export function listenToKeys(keys) {
    const isOff = () => remembered(OFF) === "yes";
    const opener = document.getElementById("show-keys");
    async function showKeys() {
        const dialog = await import("./keys-dialog.js").catch(() => null);
        if (dialog) dialog.showKeys(keys, !isOff());
        else sayBeside(opener, "Landfall can’t be reached");
    }
    opener.addEventListener("click", showKeys);
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        if (document.querySelector("dialog[open]")) return;
        const isSingle = event.key.length === 1;
        if (isSingle && (isOff() || event.target.matches?.("input, textarea, select"))) return;
        const action = event.key === "?" ? showKeys : keys[event.key]?.[1];
        if (!action) return;
        event.preventDefault();
        action();
    });
}
