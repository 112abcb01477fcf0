// Welltory's measurement: three gauges in the vendor's colours, and the heart's variability in
// figures.

import { drawing, numberOf, shortNumber, svg } from "./drawing.js";
import { element, useStyles, words } from "./elements.js";

const GAUGES = [["stress", "Stress"], ["energy", "Energy"], ["productivity", "Productivity"]];
const FIGURES = [["rmssd", "RMSSD", "ms"], ["sdnn", "SDNN", "ms"], ["power", "Power", ""],
    ["measurement_quality", "Quality", ""]];
const COLOURS = ["green", "yellow", "red"];
const RADIUS = 40;
const LENGTH = Math.PI * RADIUS;

export async function card({ result }) {
    await useStyles("card-welltory.css");
    const gauges = GAUGES.filter(([name]) => numberOf(result[name]) !== null)
        .map(([name, label]) => gauge(label, numberOf(result[name]), result[`${name}_c`]));
    const figures = FIGURES.filter(([name]) => numberOf(result[name]) !== null);
    if (gauges.length + figures.length === 0) return null;
    return element("div", { class: "card" },
        gauges.length > 0 && element("div", { class: "gauges" }, gauges),
        figures.length > 0 && element("dl", { class: "figures" }, figures.map(([name, label, unit]) =>
            element("div", {}, element("dt", {}, label),
                element("dd", {}, shortNumber(numberOf(result[name]), 1), unit && ` ${unit}`)))));
}

function gauge(label, value, colour) {
    const share = Math.max(0, Math.min(1, value));
    const known = COLOURS.includes(colour) ? colour : "none";
    const arc = `M10 50A${RADIUS} ${RADIUS} 0 0 1 90 50`;
    return element("div", { class: "gauge" },
        drawing("gauge-arc", 100, 58,
            svg("path", { class: "gauge-ground", d: arc }),
            svg("path", { class: `gauge-value gauge-${known}`, d: arc,
                "stroke-dasharray": `${(share * LENGTH).toFixed(2)} ${LENGTH.toFixed(2)}` })),
        element("p", { class: "gauge-number" }, `${shortNumber(value * 100, 1)} %`),
        element("p", {}, label, typeof colour === "string" && element("span", { class: "soft" }, ` · ${words(colour)}`)));
}
