// What stands in the place of rows: how to begin with an empty store, or that a query finds
// nothing.
// Invariant: what a vendor's sample needs comes from the server's list of vendors.

import { Problem, WITH_IMAGE, listResults, listVendors, request } from "./api.js";
import { button, copyButton, element, useStyles } from "./elements.js";
import { qrCode } from "./qr-code.js";
import { termOf, termValue } from "./query-terms.js";

const RECENT_STRAYS = "kind:stray received_at:-1h";
const INBOX = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Nodes for a query without results; `clear` asks for everything. */
export async function emptyState(query, clear) {
    await useStyles("first-run.css");
    const inbox = termValue(query, "inbox");
    const isInboxAlone = query === termOf("inbox", inbox) && INBOX.test(inbox);
    if (query && !isInboxAlone) {
        return [
            element("h2", {}, "No result matches"),
            element("p", {}, "What comes and matches appears here by itself."),
            element("p", { class: "actions" }, button("Show everything", clear)),
        ];
    }
    const vendors = (await listVendors()).filter(({ name }) => name !== "raw");
    return [
        element("h2", {}, inbox ? `Nothing has landed in ${inbox} yet` : "Nothing has landed yet"),
        element("p", {}, "Give one of these addresses to the vendor or the app, or send a callback yourself. "
            + "It appears here by itself."),
        await strayNote(),
        element("ul", { class: "vendor-cards" }, vendors.map((vendor) => vendorCard(vendor, inbox))),
        await phoneCard(),
        !inbox && element("p", {}, "An inbox of your own: put a name after the vendor, as in ",
            element("code", {}, "/callbacks/welltory/my-test"), ", and search for ",
            element("code", {}, "inbox:my-test"), "."),
    ].filter(Boolean);
}

/** What people wait for here may have been sent to an address that nothing receives. */
async function strayNote() {
    const { total } = await listResults(RECENT_STRAYS, { limit: 1, fields: "id" });
    if (!total?.count) return null;
    const count = total.count === 1 ? "One request" : `${total.count.toLocaleString()} requests`;
    return element("p", {}, element("a", { href: `/?${new URLSearchParams({ q: RECENT_STRAYS })}` }, count),
        " came in the last hour to addresses that no receiver has.");
}

const pathOf = (name, inbox) => `/callbacks/${name}${inbox ? `/${inbox}` : ""}`;

function commandLine(text) {
    return element("div", { class: "command" }, element("code", { class: "wire" }, text), copyButton("Copy", () => text));
}

function vendorCard({ name, title, sample }, inbox) {
    const address = location.origin + pathOf(name, inbox);
    const said = element("span", { class: "soft", role: "status" });
    return element("li", {},
        element("h3", {}, title),
        element("code", { class: "wire" }, address),
        element("p", { class: "actions" },
            copyButton("Copy the address", () => address, { "aria-label": `Copy the address for ${title}` }),
            button("Send a sample", () => sendSample(`${pathOf(name, inbox)}?${sample}`, said),
                { "aria-label": `Send a sample of ${title}` })),
        said,
        commandLine(`curl "${address}?${sample}"`));
}

async function sendSample(target, said) {
    said.textContent = "Sending…";
    try {
        const response = await fetch(location.origin + target, { headers: { Accept: "*/*" } });
        said.textContent = response.ok ? "Sent." : `The sample got ${response.status}.`;
    } catch {
        said.textContent = "The sample could not be sent.";
    }
}

/** Addresses at which others reach this server, with QR codes; none where it doesn't say. */
async function listAddresses() {
    try {
        return (await request("/addresses", { headers: WITH_IMAGE })).addresses;
    } catch (error) {
        if (error instanceof Problem && error.status === 404) return [];
        throw error;
    }
}

/**
 * The address for a phone in the same network, as text and as QR code where the server draws one.
 */
async function phoneCard() {
    const addresses = await listAddresses();
    const best = addresses[0];
    if (!best) return null;
    const isLocal = addresses.every(({ kind }) => kind === "loopback");
    return element("div", { class: "phone" },
        best.qr_code && qrCode(best.qr_code, `QR code of ${best.url}`),
        element("div", {},
            element("h3", {}, "From a phone"),
            element("p", {}, element("code", { class: "wire" }, best.url)),
            isLocal && element("p", { class: "soft" },
                "This address is reached from this machine only. Start the server with --host 0.0.0.0 for others.")));
}
