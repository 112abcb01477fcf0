// What a target still has to get and what it gave up, as JSON for `GET /api/v1/deliveries`.
//
// Invariant: of a target's URL, only what may be shown is written.

import Clocks
import JSON
import ResultStore

extension Forwarder {
    /// Writes the state of the target.
    ///
    /// - Parameter unread: how many records it has yet to read.
    package func write(
        _ queue: ForwardQueue, unread: Int, at now: Int64, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("rule", rule)
            json.member("url", shownURL)
            json.member("ordered", target.isOrdered)
            json.member("pending", queue.pendingCount + unread)
            json.member("dead", queue.dead.count)
            json.member("oldest_pending_seconds", Int(queue.oldestAge(at: now) / 1000))
            json.member("failures_in_a_row", queue.failures)
            json.member(
                "paused_until",
                queue.pausedUntil > now
                    ? Timestamp(unixMilliseconds: queue.pausedUntil).description : nil)
        }
    }

    /// Writes an entry of a queue.
    ///
    /// - Parameter state: `pending` or `dead`.
    package func write(
        _ entry: ForwardQueue.Entry, _ state: String, of queue: ForwardQueue,
        to json: inout JSONWriter
    ) {
        let next = Timestamp(unixMilliseconds: queue.nextAttempt(of: entry))
        json.object { json in
            json.member("rule", rule)
            json.member("url", shownURL)
            json.member("state", state)
            json.member("result", entry.id.description)
            json.member("seq", entry.sequence)
            json.member("attempts", entry.attempts)
            json.member("status", entry.status)
            json.member("next_attempt_at", state == "dead" ? nil : next.description)
        }
    }
}
