// What the browser remembers between visits.
// Invariant: nothing fails where the browser blocks its storage, which then throws: nothing is remembered.

/** The text that was stored with `key`; null if there is none. */
export function remembered(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

export function remember(key, text) {
    try {
        localStorage.setItem(key, text);
    } catch {
        // The next visit starts without it.
    }
}
