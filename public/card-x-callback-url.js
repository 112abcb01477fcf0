// What an app of x-callback-url sent back: its error, and the parameters of its action.

import { leftOut, textOf } from "./drawing.js";
import { element, visible, wireText } from "./elements.js";

const SHOWN = 50;

export function card({ result }) {
    const { errorCode, errorMessage, parameters, "x-source": source } = result;
    const pairs = Object.entries(parameters ?? {});
    const failed = errorCode !== undefined || errorMessage !== undefined;
    if (!failed && pairs.length === 0 && !source) return null;
    return element("div", { class: "card" },
        failed && element("p", { "data-outcome": "error" }, element("strong", {}, `✗ Error ${visible(textOf(errorCode ?? ""))}`),
            errorMessage ? [": ", wireText(textOf(errorMessage))] : null),
        source && element("p", {}, "From ", wireText(textOf(source))),
        pairs.length > 0 && element("dl", { class: "answers" }, pairs.slice(0, SHOWN).map(([name, value]) =>
            element("div", {}, element("dt", {}, wireText(name)),
                element("dd", {}, wireText(textOf(value)))))),
        leftOut(pairs.length, SHOWN));
}
