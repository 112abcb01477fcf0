// Statistics about flows in a period, by vendor: losses, duplicates and latencies.

import JSON

/// Statistics about flows.
package struct FlowReport: Sendable {
    /// The flows of one vendor.
    package struct Line: Sendable {
        package var counts: [Flow.State: Int] = [:]
        /// Milliseconds from launch to callback, unordered.
        package var latencies: [Int64] = []

        /// The latency within which a share of the flows returned, by the nearest rank; nil without
        /// any.
        ///
        /// - Parameter share: above 0, up to 1.
        package func latency(_ share: Double) -> Int64? {
            let sorted = latencies.sorted()
            guard !sorted.isEmpty else { return nil }
            let rank = (share * Double(sorted.count)).rounded(.up)
            return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
        }
    }

    /// By the vendor's name.
    package private(set) var lines: [String: Line] = [:]

    /// The ids of flows that need attention, newest first; at most `mostExamples` for each state.
    private(set) var examples: [Flow.State: [String]] = [:]

    /// Maximum number of ids for each state.
    static let mostExamples = 20

    /// Counts a flow.
    package mutating func add(_ flow: Flow) {
        let vendor = (flow.launch ?? flow.messages.first)?.facts.vendor ?? ""
        var line = lines[vendor] ?? Line()
        line.counts[flow.state, default: 0] += 1
        if let latency = flow.latency { line.latencies.append(latency) }
        lines[vendor] = line
        guard [.lost, .orphan, .duplicate].contains(flow.state) else { return }
        if examples[flow.state, default: []].count < Self.mostExamples {
            examples[flow.state, default: []].append(flow.id)
        }
    }

    /// Writes `vendors`, and `lost`, `orphan` and `duplicate` with the ids.
    func writeMembers(to json: inout JSONWriter) {
        json.array("vendors") { json in
            for (vendor, line) in lines.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("vendor", vendor)
                    json.member("flows", line.counts.values.reduce(0, +))
                    for state in Flow.State.allCases {
                        json.member(state.rawValue, line.counts[state] ?? 0)
                    }
                    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
                        json.member("latency_\(name)_ms", line.latency(share).map { Int($0) })
                    }
                }
            }
        }
        for state in [Flow.State.lost, .orphan, .duplicate] {
            json.member(state.rawValue, examples[state] ?? [])
        }
    }
}
