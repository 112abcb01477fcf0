// Rezolve's messages: a trigger's path as bread crumbs, the answers to an act as a form that was
// filled in, and order lines as a receipt.

import { figureOf, leftOut, shortNumber, textOf } from "./drawing.js";
import { element, useStyles, visible, wireText, words } from "./elements.js";

const PATH = ["partner", "merchant", "category", "product", "engagement"];
const SHOWN = 50;

export async function card({ result }) {
    await useStyles("card-rezolve.css");
    const parts = [trigger(result), answers(result.answers), receipt(result)].filter(Boolean);
    return parts.length > 0 ? element("div", { class: "card" }, parts) : null;
}

const plain = (value) => visible(textOf(value));

function trigger(result) {
    const ids = PATH.map((name) => [name, result[`${name}_id`]]).filter(([, id]) => id !== undefined && id !== null);
    if (ids.length === 0) return null;
    return element("div", {}, element("h4", {}, `Trigger: ${words(plain(result.kind ?? "link"))}`),
        element("ol", { class: "crumbs" }, ids.map(([name, id]) =>
            element("li", {}, element("span", { class: "soft" }, `${name} `), element("strong", {}, plain(id))))));
}

function answers(list) {
    if (!Array.isArray(list) || list.length === 0) return null;
    return element("div", {}, element("h4", {}, "Answers"),
        element("dl", { class: "answers" }, list.slice(0, SHOWN).filter((entry) => entry && typeof entry === "object")
            .map(({ question_id: id, answer, date }) => element("div", {},
                element("dt", {}, `Question ${plain(id ?? "?")}`),
                element("dd", {}, wireText(plain(answer ?? "")),
                    date && element("span", { class: "soft" }, ` (${plain(date)})`))))),
        leftOut(list.length, SHOWN));
}

/** With two digits, unless they would be zeros of a price that isn't. */
const money = (value) =>
    figureOf(value, (number) => (number && Math.abs(number) < 0.005 ? shortNumber(number) : number.toFixed(2)));

function receipt(result) {
    const lines = result.order_lines ?? result.items ?? result.products;
    if (!Array.isArray(lines) || lines.length === 0) return null;
    const rows = lines.slice(0, SHOWN).filter((line) => line && typeof line === "object").map((line) =>
        element("tr", {}, element("td", {}, plain(line.name ?? line.title ?? line.product_id ?? "?")),
            element("td", {}, figureOf(line.quantity ?? line.qty)),
            element("td", {}, money(line.price ?? line.total))));
    const rest = leftOut(lines.length, SHOWN, "td");
    rest?.setAttribute("colspan", "3");
    const total = money(result.total ?? result.price_total ?? result.final_price);
    return element("table", { class: "receipt" }, element("caption", {}, "Order"),
        element("thead", {}, element("tr", {}, ["Product", "Quantity", "Price"].map((name) =>
            element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows, rest && element("tr", {}, rest)),
        total !== null && element("tfoot", {}, element("tr", {}, element("th", { scope: "row", colspan: "2" }, "Total"),
            element("td", {}, total))));
}
