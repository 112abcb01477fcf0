// The filters of a list, and their text form in the page's address.
// Invariant: the address is the truth; selects only show it. A value this page does not know is
// shown and sent as it is, so that the server can say what is wrong with it.
// Left out: loading the list; the page does that when `onChange` is called.

import { element, words } from "./elements.js";

/**
 * `choices` has the values of each filter. `settings` are in the address too and narrow nothing: each
 * is a list of [value, label], the first of them with the value "".
 */
export function createFilters(choices, settings = {}) {
    const filterNames = Object.keys(choices);
    const names = [...filterNames, ...Object.keys(settings)];

    function read(search) {
        const query = new URLSearchParams(search);
        return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
    }

    /** "" when nothing is chosen, else "?vendor=…&verdict=…". */
    function searchOf(values) {
        const query = new URLSearchParams(names.filter((name) => values[name])
            .map((name) => [name, values[name]]));
        return query.size > 0 ? `?${query}` : "";
    }

    const isFiltered = (values) => filterNames.some((name) => values[name]);

    /** The same settings without any filter. */
    const cleared = (values) => ({ ...values, ...Object.fromEntries(filterNames.map((name) => [name, ""])) });

    function createBar(list, onChange) {
        const selects = Object.fromEntries(names.map((name) =>
            [name, list.querySelector(`select[name="${name}"]`)]));
        const clear = list.querySelector("#clear-filters");
        const options = Object.fromEntries([
            ...filterNames.map((name) => [name, [{ value: "", label: "all" },
                ...choices[name].map((value) => ({ value, label: words(value) }))]]),
            ...Object.entries(settings).map(([name, pairs]) =>
                [name, pairs.map(([value, label]) => ({ value, label }))]),
        ]);
        let shown = read("");

        function fill(name) {
            const select = selects[name];
            const value = shown[name];
            const isKnown = options[name].some((option) => option.value === value);
            const all = [...options[name], ...(isKnown ? [] : [{ value, label: value }])];
            select.replaceChildren(...all.map((option) =>
                element("option", { value: option.value }, option.label)));
            select.value = value;
            select.toggleAttribute("data-active", value !== "");
        }

        function current() {
            return Object.fromEntries(names.map((name) => [name, selects[name].value]));
        }

        for (const select of Object.values(selects)) {
            select.addEventListener("change", () => onChange(current()));
        }
        for (const name of ["vendor", "inbox"]) selects[name].addEventListener("blur", () => fill(name));
        clear.addEventListener("click", () => {
            onChange(cleared(shown));
            selects.vendor.focus();
        });

        return {
            show(values) {
                shown = values;
                names.forEach(fill);
                clear.hidden = !isFiltered(values);
            },
            showVendors(vendors) {
                options.vendor = [{ value: "", label: "all" },
                    ...vendors.map(({ name, title }) => ({ value: name, label: title }))];
                if (document.activeElement !== selects.vendor) fill("vendor");
            },
            /** The select itself changes only while nobody is choosing from it. */
            showInboxes(inboxes) {
                options.inbox = [{ value: "", label: "all" }, ...inboxes.map(({ name, count }) =>
                    ({ value: name, label: `${name} (${count})` }))];
                if (document.activeElement !== selects.inbox) fill("inbox");
            },
        };
    }

    return { read, searchOf, isFiltered, cleared, createBar };
}
