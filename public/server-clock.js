// The server's time, as its responses tell it: this device's clock may be wrong.
// Invariant: relative times on the page are differences of the server's own times.
// Left out: what a network takes.

const HALF_SECOND = 500;
const NOTICEABLE_MILLISECONDS = 5_000;

let difference = 0;

/** Takes the time of a response. */
export function noteServerTime(response) {
    const date = Date.parse(response.headers.get("Date") ?? "");
    if (Number.isNaN(date)) return;
    const measured = date + HALF_SECOND - Date.now();
    difference = Math.abs(measured) < NOTICEABLE_MILLISECONDS ? 0 : measured;
}

/** Milliseconds since 1970 on the server's clock. */
export const serverNow = () => Date.now() + difference;

/**
 * By how many milliseconds the server's clock is ahead of this device's; 0 if that can't be
 * noticed.
 */
export const clockDifference = () => difference;
