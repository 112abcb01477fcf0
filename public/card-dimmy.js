// The item of Dimmy and Flux: the measured box drawn to scale, photos as links, codes to copy,
// weights.
// Invariant: only http and https addresses become links; pictures are never loaded.

import { drawing, figureOf, leftOut, numberOf, shortNumber, svg, textOf } from "./drawing.js";
import { copyButton, element, shorten, useStyles, visible, wireText } from "./elements.js";

const SHOWN = 20;
const ADDRESS_LENGTH = 200;
const TILT = Math.PI / 6;

export async function card({ result, contract }) {
    await useStyles("card-dimmy.css");
    const item = Array.isArray(result.item) ? result.item[0] : result.item;
    const parts = [
        box(result.first_box),
        listOf("Bar codes", result.barcodes, (code) => element("li", { class: "code" },
            element("code", { class: "wire" }, visible(textOf(code))), " ",
            copyButton("Copy", () => textOf(code), { "aria-label": `Copy ${visible(textOf(code))}` }))),
        listOf("Photos", result.photo_urls, (url) => element("li", {}, link(url))),
        listOf("Weights", weights(item), (weight) => element("li", {}, weight)),
        listOf("Inputs", inputs(item), ([name, value]) => element("li", {}, wireText(name), ": ", wireText(value))),
        listOf("Items", contract === "flux-webhook" ? result.item_ids : null,
            (id) => element("li", { class: "mono" }, wireText(textOf(id)))),
    ].filter(Boolean);
    return parts.length > 0 ? element("div", { class: "card" }, parts) : null;
}

function listOf(title, values, makeItem) {
    if (!Array.isArray(values) || values.length === 0) return null;
    return element("div", {}, element("h4", {}, title),
        element("ul", {}, values.slice(0, SHOWN).map(makeItem), leftOut(values.length, SHOWN, "li")));
}

/** The address as a link if a browser may open it, else as text. */
function link(url) {
    const isWeb = typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (!isWeb) return element("span", { class: "mono" }, wireText(textOf(url)));
    return element("a", { class: "wire mono", href: url, target: "_blank", rel: "noopener noreferrer" },
        shorten(visible(url), ADDRESS_LENGTH));
}

function weights(item) {
    const steps = Array.isArray(item?.weighing) ? item.weighing : [];
    return steps.map((step) => [figureOf(step?.weight, (number) => shortNumber(number, 3)), step?.unit])
        .filter(([figure]) => figure !== null).map(([figure, unit]) => withUnit(figure, unit));
}

/** The figure alone where no unit came. */
const withUnit = (figure, unit) => (unit ? `${figure} ${visible(textOf(unit))}` : figure);

function inputs(item) {
    const list = item?.customInputs ?? item?.custom_inputs;
    return Array.isArray(list) ? list.filter(Boolean)
        .map(({ name, value }) => [textOf(name ?? "input"), textOf(value ?? "")]) : null;
}

// ---- The box ---------------------------------------------------------------------------------------

function box(dimensions) {
    const [width, height, depth] = ["width", "height", "depth"].map((name) => numberOf(dimensions?.[name]));
    if (![width, height, depth].every((side) => side !== null && side > 0)) return null;
    const { unit } = dimensions;
    const text = withUnit([width, height, depth].map((side) => shortNumber(side, 3)).join(" × "), unit);
    const volume = width * height * depth;
    const litres = unit === "m" ? `${shortNumber(volume * 1_000, 1)} l` : null;
    return element("div", { class: "box" },
        boxDrawing(width, height, depth, unit),
        element("dl", { class: "figures" },
            element("div", {}, element("dt", {}, "Width × height × depth"), element("dd", {}, text)),
            element("div", {}, element("dt", {}, "Volume"), element("dd", {}, litres
                ?? withUnit(shortNumber(volume, 3), unit && `${textOf(unit)}³`)))));
}

/** Three visible sides in an isometric view, in the proportions that were measured. */
function boxDrawing(width, height, depth, unit) {
    const across = (width + depth) * Math.cos(TILT);
    const up = height + (width + depth) * Math.sin(TILT);
    const scale = Math.min(200 / across, 130 / up);
    const [w, h, d] = [width * scale, height * scale, depth * scale];
    const left = 50 + (200 - across * scale) / 2 + w * Math.cos(TILT);
    const bottom = 160 - (130 - up * scale) / 2;
    const at = (x, y, z) => [left + (z - x) * Math.cos(TILT), bottom - y - (x + z) * Math.sin(TILT)];
    const face = (name, ...corners) => svg("path", { class: `face ${name}`,
        d: `M${corners.map((corner) => at(...corner).map((value) => value.toFixed(1)).join(" ")).join("L")}Z` });
    const label = (text, corner, anchor, shift) => {
        const [x, y] = at(...corner);
        return svg("text", { x: (x + shift).toFixed(1), y: y.toFixed(1), "text-anchor": anchor }, text);
    };
    return drawing("box-drawing", 300, 180,
        face("face-left", [0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]),
        face("face-right", [0, 0, 0], [0, 0, d], [0, h, d], [0, h, 0]),
        face("face-top", [0, h, 0], [w, h, 0], [w, h, d], [0, h, d]),
        label(withUnit(shortNumber(width, 3), unit), [w / 2, -14, 0], "end", -2),
        label(withUnit(shortNumber(depth, 3), unit), [0, -14, d / 2], "start", 2),
        label(withUnit(shortNumber(height, 3), unit), [w, h / 2, 0], "end", -6));
}
