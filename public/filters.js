// The filter bar, and its text form in the page's address.
// Invariant: the address is the truth; selects only show it. A value this page does not know is
// shown and sent as it is, so that the server can say what is wrong with it.
// Left out: loading results; the page does that when `onChange` is called.

import { element, words } from "./elements.js";

const CHOICES = {
    vendor: ["dimmy", "welltory", "ailet", "rezolve", "raw"],
    inbox: [],
    outcome: ["completed", "cancelled", "error", "in_progress", "empty"],
    verdict: ["decoded", "decoded_with_warnings", "undecodable", "unmatched"],
};
const NAMES = Object.keys(CHOICES);

export function readFilters(search) {
    const query = new URLSearchParams(search);
    return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""]));
}

/** "" when nothing is filtered, else "?vendor=…&verdict=…". */
export function searchOf(filters) {
    const query = new URLSearchParams(NAMES.filter((name) => filters[name])
        .map((name) => [name, filters[name]]));
    return query.size > 0 ? `?${query}` : "";
}

export const isFiltered = (filters) => NAMES.some((name) => filters[name]);

export function createFilterBar(bar, onChange) {
    const selects = Object.fromEntries(NAMES.map((name) =>
        [name, bar.querySelector(`select[name="${name}"]`)]));
    const clear = bar.querySelector("#clear-filters");
    const options = Object.fromEntries(NAMES.map((name) =>
        [name, CHOICES[name].map((value) => ({ value, label: words(value) }))]));
    let shown = readFilters("");

    function fill(name) {
        const select = selects[name];
        const value = shown[name];
        const known = options[name].some((option) => option.value === value);
        const all = [{ value: "", label: "all" }, ...options[name],
            ...(known || !value ? [] : [{ value, label: value }])];
        select.replaceChildren(...all.map((option) =>
            element("option", { value: option.value }, option.label)));
        select.value = value;
        select.toggleAttribute("data-active", value !== "");
    }

    function current() {
        return Object.fromEntries(NAMES.map((name) => [name, selects[name].value]));
    }

    bar.addEventListener("change", () => onChange(current()));
    selects.inbox.addEventListener("blur", () => fill("inbox"));
    clear.addEventListener("click", () => {
        onChange(readFilters(""));
        selects.vendor.focus();
    });

    return {
        show(filters) {
            shown = filters;
            NAMES.forEach(fill);
            clear.hidden = !isFiltered(filters);
        },
        /** The select itself changes only while nobody is choosing from it. */
        showInboxes(inboxes) {
            options.inbox = inboxes.map(({ name, count }) => ({ value: name, label: `${name} (${count})` }));
            if (document.activeElement !== selects.inbox) fill("inbox");
        },
    };
}
