// A flow's time to scale: when each message came, and which part of it a person took.
// Invariant: what the drawing shows is said in figures beside it.

import { drawing, svg } from "./drawing.js";
import { element } from "./elements.js";
import { duration } from "./flows-table.js";

const WIDTH = 600;
const HEIGHT = 34;

/** null for flows without a stretch of time. */
export function flowScale({ messages, person_ms: person, latency_ms: latency }) {
    const last = messages.at(-1)?.after_ms ?? 0;
    if (last <= 0) return null;
    const at = (milliseconds) => 6 + (milliseconds / last) * (WIDTH - 12);
    const returned = messages.find(({ kind }) => kind === "callback")?.after_ms ?? last;
    const personStart = Math.max(0, returned - (latency ?? returned));
    const ticks = messages.map(({ kind, after_ms: after }) =>
        svg("circle", { class: `scale-${kind === "callback" ? "callback" : "other"}`, cx: at(after).toFixed(1), cy: 17, r: 6 }));
    const parts = person === null || person === undefined ? [] : [svg("rect", {
        class: "scale-person", x: at(personStart).toFixed(1), y: 11, height: 12,
        width: Math.max(1, at(Math.min(last, personStart + person)) - at(personStart)).toFixed(1),
    })];
    return element("div", { class: "scale" },
        drawing("scale-drawing", WIDTH, HEIGHT,
            svg("rect", { class: "scale-line", x: 6, y: 15, width: WIDTH - 12, height: 4 }), ...parts, ...ticks),
        element("p", { class: "soft" }, `${duration(last)} from the first message to the last`,
            person !== null && person !== undefined && latency !== null
                && `; of ${duration(latency)} to the callback a person took ${duration(person)} `
                    + `and the machines ${duration(Math.max(0, latency - person))}`, "."));
}
