// The search box: one line in the query language, with suggestions and the place of a fault.
// Invariant: the list changes when the query is sent by Enter, a suggestion's choice or a chip,
// never while somebody types.
// Left out: what is suggested (suggestions.js), what a query finds.

import { element, visible } from "./elements.js";

const SHOWN_SUGGESTIONS = 12;
// Spaces and parentheses outside of quotes separate them, but not those of a list of values.
const WORDS = /(?!-)(?:[^\s()":]*:\([^)]*\)?|"(?:\\.|[^"\\])*"?|[^\s()"])+/gs;

/** `search(text)` is called when the query is sent. */
export function createSearchBox(form, search) {
    const input = form.querySelector("input");
    const list = form.querySelector("[role=listbox]");
    const fault = form.querySelector("#query-fault");
    let suggesting = null;       // what gives the suggestions for a word, from when the box is first used
    let options = [];
    let active = -1;
    let asked = 0;               // raised by each question, and where the list is closed

    function readSuggestions() {
        suggesting ??= import("./suggestions.js").then((module) => module.readSuggestions()).catch(() => {
            suggesting = null;
            return () => [];
        });
        return suggesting;
    }

    /** The word that the caret is in or at the end of. */
    function wordAtCaret() {
        const caret = input.selectionStart;
        const { index: start = caret, 0: text = "" } = [...input.value.matchAll(WORDS)]
            .find(({ index, 0: { length } }) => index <= caret && caret <= index + length) ?? {};
        return { start, end: start + text.length, word: input.value.slice(start, caret) };
    }

    async function suggest() {
        const mine = ++asked;
        const suggestionsFor = await readSuggestions();
        if (mine !== asked) return;
        const { word } = wordAtCaret();
        options = suggestionsFor(word).slice(0, SHOWN_SUGGESTIONS);
        active = -1;
        list.replaceChildren(...options.map(({ text, note }, index) => {
            const node = element("li", { role: "option", id: `suggestion-${index}`, "aria-selected": "false" },
                element("span", { class: "mono" }, text), " ", element("span", { class: "soft" }, note));
            node.addEventListener("mousedown", (event) => {
                event.preventDefault();
                choose(index);
            });
            return node;
        }));
        showList(options.length > 0);
    }

    function showList(isShown) {
        list.hidden = !isShown;
        input.setAttribute("aria-expanded", String(isShown));
        if (isShown) return;
        asked += 1;
        input.removeAttribute("aria-activedescendant");
    }

    function activate(index) {
        list.children[active]?.setAttribute("aria-selected", "false");
        active = (index + options.length) % options.length;
        list.children[active].setAttribute("aria-selected", "true");
        list.children[active].scrollIntoView({ block: "nearest" });
        input.setAttribute("aria-activedescendant", `suggestion-${active}`);
    }

    function choose(index) {
        const { text, isWhole } = options[index];
        const { start, end } = wordAtCaret();
        const rest = input.value.slice(end);
        const inserted = isWhole ? `${text} ` : text;
        input.value = input.value.slice(0, start) + inserted + (isWhole ? rest.trimStart() : rest);
        input.setSelectionRange(start + inserted.length, start + inserted.length);
        showList(false);
        if (!isWhole) suggest();
    }

    const typed = () => input.value.trim();

    function send() {
        showList(false);
        search(typed());
    }

    input.addEventListener("input", suggest);
    input.addEventListener("focus", readSuggestions);
    input.addEventListener("blur", () => showList(false));
    input.addEventListener("keydown", (event) => {
        const isOpen = !list.hidden;
        if (event.key === "ArrowDown" && isOpen) activate(active + 1);
        else if (event.key === "ArrowDown") suggest();
        else if (event.key === "ArrowUp" && isOpen) activate(active < 0 ? options.length - 1 : active - 1);
        else if (event.key === "Enter" && isOpen && active >= 0) choose(active);
        else if (event.key === "Escape" && isOpen) showList(false);
        else return;
        event.preventDefault();
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        send();
    });

    return {
        typed,
        show(query) {
            if (document.activeElement !== input || typed() !== query) input.value = query;
        },
        focus() {
            input.focus();
            input.select();
        },
        /**
         * Shows what is wrong with the query that was sent, under its place; hides it without an
         * error.
         */
        showFault(query, error) {
            const entry = error?.errors.find(({ name }) => name === "q");
            fault.hidden = !entry;
            if (!entry) {
                input.removeAttribute("aria-invalid");
                return false;
            }
            input.setAttribute("aria-invalid", "true");
            // The server counts characters, and strings of JavaScript count an emoji as two.
            const characters = [...query];
            const part = (start, end) => visible(characters.slice(start, end).join(""));
            const position = Math.min(entry.position ?? characters.length, characters.length);
            fault.replaceChildren(
                element("p", { class: "fault-text mono wire", "aria-hidden": "true" }, part(0, position),
                    element("mark", {}, part(position, position + 1) || "\u00a0"), part(position + 1)),
                element("p", {}, countedFromOne(entry)));
            return true;
        },
    };
}

// The server counts characters from 0, people from 1. After "but found", the text is the query's own.
const countedFromOne = ({ detail }) => detail.replace(/^.*?, but found/s, (expected) =>
    expected.replace(/(?<= (at|of) character )\d+/g, (number) => Number(number) + 1));
