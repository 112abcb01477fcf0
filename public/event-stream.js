// Follows server-sent events by fetch, which unlike EventSource tells why a stream was refused,
// sends the browser's credentials, and begins where the reader says.
// Invariant: events are handed on one after the other; the next is not read before the former was
// taken.
// Left out: when to connect again, which the feed decides.

import { ConnectionLost, Problem, problemIn } from "./api.js";
import { noteServerTime } from "./server-clock.js";

// The server sends a comment every 15 seconds.
const SILENCE_MILLISECONDS = 40_000;

/**
 * Reads a stream until it ends or `signal` aborts. `take` gets the events of each chunk as
 * `{ event, data }` and may return a promise; `opened` is called once the server has accepted.
 */
export async function readEvents(url, { lastId, signal, opened, take }) {
    const silence = new AbortController();
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": String(lastId) }) };
    let timer = setTimeout(() => silence.abort(), SILENCE_MILLISECONDS);
    try {
        const response = await fetch(url, {
            headers, cache: "no-store", signal: AbortSignal.any([signal, silence.signal]),
        });
        if (!response.ok) throw new Problem(response.status, problemIn(await response.text(), response.status));
        noteServerTime(response);
        opened();
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        while (true) {
            const { value, done } = await reader.read();
            if (done) return;
            clearTimeout(timer);
            timer = setTimeout(() => silence.abort(), SILENCE_MILLISECONDS);
            const blocks = (rest + value).split("\n\n");
            rest = blocks.pop();
            const events = blocks.map(eventOf).filter((event) => event.data);
            if (events.length > 0) await take(events);
        }
    } catch (error) {
        if (error instanceof Problem) throw error;
        throw new ConnectionLost("The stream broke.", { cause: error });
    } finally {
        clearTimeout(timer);
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
