// A flow's time to scale: when each message came, and which part of it a person took.
// Invariant: what the drawing shows is said in figures beside it.

import { drawing, svg } from "./drawing.js";
import { element } from "./elements.js";
import { duration } from "./flows-table.js";

const WIDTH = 600;
const HEIGHT = 34;

/** Whether somebody decided on the emulated screen: such a message is a launch, too. */
export const isDecision = ({ kind, record }) =>
    kind === "launch" && !record?.result?.url && record?.request?.method === "POST";

/** null for flows without a stretch of time. */
export function flowScale({ messages, person_ms: person, latency_ms: latency, returned_at: returnedAt }) {
    const last = messages.at(-1)?.after_ms ?? 0;
    if (last <= 0) return null;
    const at = (milliseconds) => 6 + (milliseconds / last) * (WIDTH - 12);
    const end = messages.findIndex(({ kind, received_at: at }) => kind === "callback" && at === returnedAt);
    const decision = messages.slice(0, end < 0 ? messages.length : end).findLast(isDecision)?.after_ms;
    const ticks = messages.map(({ kind, after_ms: after }) =>
        svg("circle", { class: `scale-${kind === "callback" ? "callback" : "other"}`, cx: at(after).toFixed(1), cy: 17, r: 6 }));
    const parts = typeof person !== "number" || decision === undefined ? [] : [svg("rect", {
        class: "scale-person", x: at(decision - person).toFixed(1), y: 11, height: 12,
        width: Math.max(1, at(decision) - at(decision - person)).toFixed(1),
    })];
    return element("div", { class: "scale" },
        drawing("scale-drawing", WIDTH, HEIGHT,
            svg("rect", { class: "scale-line", x: 6, y: 15, width: WIDTH - 12, height: 4 }), ...parts, ...ticks),
        element("p", { class: "soft" }, `${duration(last)} from the first message to the last`,
            person !== null && person !== undefined && latency !== null
                && `; of ${duration(latency)} to the callback a person took ${duration(person)} `
                    + `and the machines ${duration(Math.max(0, latency - person))}`, "."));
}
