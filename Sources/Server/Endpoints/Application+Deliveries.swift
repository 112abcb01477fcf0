// `GET /api/v1/deliveries` and `POST /api/v1/deliveries/retry`: what forwarding still has to deliver,
// and what it gave up. Left out: attempts, which are records of the kind `delivery`.

import Clocks
import Emulator
import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore
import Telemetry

extension Application {
    /// `GET /api/v1/deliveries?state=&rule=&limit=`: the targets, and their pending and dead
    /// deliveries.
    func listDeliveries(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let state = parameters.take("state", oneOf: ["pending", "dead"])
        let rule = parameters.take("rule", expected: "") { $0 }
        let limit = parameters.take("limit", in: 1...10_000) ?? 100
        try parameters.finish()
        let forwarders = try forwarders(of: rule)
        // Each of them may have 20,000.
        return await api.work.run { () async -> Response in
            let now = Timestamp.now.unixMilliseconds
            let targets = forwarders.map { ($0, $0.queue) }
            var json = JSONWriter(reservingCapacity: 4096)
            json.beginObject()
            json.key("targets")
            json.beginArray()
            for (forwarder, queue) in targets {
                let unread = await forwarder.unreadCount() ?? 0
                forwarder.write(queue, unread: unread, at: now, to: &json)
            }
            json.endArray()
            json.array("deliveries") { json in
                var room = limit
                for (forwarder, queue) in targets {
                    for name in ["pending", "dead"] where room > 0 && state ?? name == name {
                        let entries = name == "dead" ? queue.dead : queue.pending
                        for entry in entries.prefix(room) {
                            forwarder.write(entry, name, of: queue, to: &json)
                            room -= 1
                        }
                    }
                }
            }
            json.endObject()
            return ResultAPI.uncached(json.bytes, isCompressible: true)
        }
    }

    /// `POST /api/v1/deliveries/retry?rule=&id=`: makes dead letters pending again, and ends the
    /// pauses of their targets.
    func retryDeliveries(_ request: Request) throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let rule = parameters.take("rule", expected: "") { $0 }
        let id = parameters.take("id", expected: "the id of a result") { RecordID($0) }
        try parameters.finish()
        let count = try forwarders(of: rule).reduce(0) { $0 + $1.retryDead(id) }
        var json = JSONWriter()
        json.object { $0.member("retried", count) }
        return ResultAPI.uncached(json.bytes, isCompressible: true)
    }

    /// The forwarders of a rule, or of all rules.
    ///
    /// Throws 404 for an unknown rule.
    private func forwarders(of rule: String?) throws(Problem) -> [Forwarder] {
        let all = forwarding.forwarders
        guard let rule else { return all }
        let found = all.filter { $0.rule == rule }
        guard !found.isEmpty else {
            let names = Set(all.map(\.rule)).sorted().joined(separator: ", ")
            throw Problem(
                status: .notFound, kind: "unknown-rule",
                detail:
                    "There is no such rule in forward; there are \(names.isEmpty ? "none" : names)."
            )
        }
        return found
    }

    /// The metrics of all targets; how many callbacks wait is left out where a full queue has more
    /// in the store and they can't be counted soon.
    func forwardingSamples() async -> [MetricSample] {
        let now = Timestamp.now.unixMilliseconds
        let forwarders = forwarding.forwarders
        // All of them in one time: several would add up to more than Prometheus waits.
        let unread = await readSoon { () async -> [Int?]? in
            var counts: [Int?] = []
            for forwarder in forwarders { counts.append(await forwarder.unreadCount()) }
            return counts
        }
        var samples: [MetricSample] = []
        for (index, forwarder) in forwarders.enumerated() {
            let labels = [("rule", forwarder.rule), ("target", forwarder.shownURL)]
            let queue = forwarder.queue
            if let unread = queue.room > 0 ? 0 : unread?[index] {
                let pending = Double(queue.pendingCount + unread)
                samples.append(MetricSample(MetricName.forwardPending, labels, pending))
            }
            samples += [
                MetricSample(MetricName.forwardDead, labels, Double(queue.dead.count)),
                MetricSample(
                    MetricName.forwardAge, labels, Double(queue.oldestAge(at: now)) / 1000),
                MetricSample(MetricName.forwardDropped, labels, Double(forwarder.dropped)),
            ]
            for outcome in ForwardQueue.Outcome.allCases {
                samples.append(
                    MetricSample(
                        MetricName.forwardAttempts, labels + [("outcome", outcome.rawValue)],
                        Double(forwarder.attempts[outcome] ?? 0)))
            }
        }
        return samples
    }
}
