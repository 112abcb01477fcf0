// How long flows took: their number by steps of time, as bars with figures.
// Left out: which flows are counted; the latest that returned, as many as one page of the list has.

import { bar } from "./drawing.js";
import { element } from "./elements.js";

const STEPS = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const LABELS = ["< 0.1 s", "< 0.3 s", "< 1 s", "< 3 s", "< 10 s", "< 30 s", "< 100 s", "< 5 min", "< 17 min", "longer"];

/** null for fewer than two latencies. */
export function histogram(latencies) {
    if (latencies.length < 2) return null;
    const counts = LABELS.map(() => 0);
    for (const latency of latencies) {
        const step = STEPS.findIndex((limit) => latency < limit);
        counts[step < 0 ? STEPS.length : step] += 1;
    }
    const first = counts.findIndex(Boolean);
    const last = counts.findLastIndex(Boolean);
    const greatest = Math.max(...counts);
    return element("figure", { class: "histogram" },
        element("figcaption", { class: "soft" }, `How long the latest ${latencies.length} that returned took`),
        element("dl", {}, counts.slice(first, last + 1).map((count, index) => element("div", {},
            element("dt", {}, LABELS[first + index]),
            element("dd", {}, bar(100 * count / greatest), element("span", {}, String(count)))))));
}
