// The vendors and their names for people, as the server gives them.
// Invariant: one name for a vendor wherever a page names it; an unknown one is shown as it is written.

import { listVendors } from "./api.js";

const titles = new Map();
let reading = null;

/** The server's vendors, read once; none while it can't be asked, and then the next call asks again. */
export function readVendors() {
    reading ??= listVendors().then((vendors) => {
        for (const { name, title } of vendors) titles.set(name, title);
        return vendors;
    }, () => {
        reading = null;
        return [];
    });
    return reading;
}

export const titleOf = (vendor) => titles.get(vendor) ?? vendor ?? "unknown";
