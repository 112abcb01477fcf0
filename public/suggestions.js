// What may come in place of a word of a query: a field's name, or a value of the field before the colon.
// Left out: where the word is, and showing what may come, see search-box.js.

import { get } from "./api.js";

const SIGNS = { gt: ">", gte: ">=", lt: "<", lte: "<=", range: "" };

/** Reads the server's catalogue; resolves to a function that gives the suggestions for a word. */
export async function readSuggestions() {
    const { fields } = await get("/fields");
    return (word) => suggestionsFor(word, fields);
}

function suggestionsFor(word, fields) {
    const colon = word.indexOf(":");
    if (colon < 0) {
        const wanted = word.toLowerCase();
        const matching = fields.filter(({ name }) => name.toLowerCase().includes(wanted));
        matching.sort((one, other) => one.name.toLowerCase().indexOf(wanted) - other.name.toLowerCase().indexOf(wanted));
        return matching.map(({ name, description }) => ({ text: `${name}:`, note: description ?? "" }));
    }
    const field = fields.find(({ name }) => name === word.slice(0, colon));
    if (!field) return [];
    const typed = word.slice(colon + 1).toLowerCase();
    const values = (field.values ?? []).map(String).filter((value) => value.toLowerCase().startsWith(typed));
    if (values.length > 0) {
        return values.map((value) => ({ text: `${field.name}:${value}`, note: "", isWhole: true }));
    }
    if (typed) return [];
    return (field.operators ?? []).filter((name) => SIGNS[name])
        .map((name) => ({ text: `${field.name}:${SIGNS[name]}`, note: operatorNote(name) }));
}

const operatorNote = (name) => ({ gt: "greater than", gte: "at least", lt: "less than", lte: "at most" })[name];
