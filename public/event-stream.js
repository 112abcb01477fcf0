// Follows server-sent events by fetch, which unlike EventSource tells why a stream was refused,
// sends the browser's credentials, and begins where the reader says.
// Invariant: events are handed on one after the other; the next is not read before the former was
// taken.
// Left out: when to connect again, which the feed decides.

import { ConnectionLost, Problem, fetchPieces, joined, problemIn } from "./api.js";

// The server sends a comment every 15 seconds.
const SILENCE_MILLISECONDS = 40_000;

/**
 * Reads a stream until it ends or `signal` aborts. `take` gets the events of each chunk as
 * `{ event, data }` and may return a promise; `opened` is called once the server has accepted.
 */
export async function readEvents(url, { lastId, signal, opened, take }) {
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": String(lastId) }) };
    try {
        await fetchPieces(url, { headers, signal }, SILENCE_MILLISECONDS, async (response, pieces) => {
            if (!response.ok) throw new Problem(response.status, problemIn(await joined(pieces), response.status));
            opened();
            let rest = "";
            for await (const piece of pieces) {
                const blocks = (rest + piece).split("\n\n");
                rest = blocks.pop();
                const events = blocks.map(eventOf).filter((event) => event.data);
                if (events.length > 0) await take(events);
            }
        });
    } catch (error) {
        if (error instanceof Problem) throw error;
        throw new ConnectionLost("The stream broke.", { cause: error });
    }
}

function eventOf(block) {
    const event = { event: "message", data: "" };
    for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        if (colon <= 0) continue;
        const name = line.slice(0, colon);
        if (name === "event" || name === "data") event[name] = line.slice(colon + 1).trimStart();
    }
    return event;
}
