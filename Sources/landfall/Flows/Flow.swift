// A flow: one launch and the callbacks that answered it, and what became of it.
//
// Invariant: made from what the store holds, at the moment of the question; nothing of it is kept.
// The id of a flow is a UUIDv7, so that flows sort by the time of their launch.

import Clocks
import ResultStore
import Vendors

/// One launch and what answered it.
struct Flow: Sendable {
    /// What became of a launch.
    enum State: String, CaseIterable, Sendable {
        /// Nothing final came back, and may still come.
        case launched
        /// One final callback came.
        case returned
        /// Nothing final came back in time.
        case lost
        /// A callback names a launch that nobody knows.
        case orphan
        /// More than one final callback came.
        case duplicate
    }

    /// A record of the flow.
    struct Message: Sendable {
        let facts: RecordFacts

        var kind: RecordKind { facts.kind }
    }

    let id: String

    /// The flow's records, oldest first; at most `mostMessages`.
    let messages: [Message]

    /// The launch that was answered: a link is made first, and opened later, maybe several times.
    let launch: Message?

    /// The first callback that ends it.
    let end: Message?

    let state: State

    /// Most records of a flow that are looked at.
    static let mostMessages = 200

    /// Tells what the records of a flow mean.
    ///
    /// - Parameter patience: after how long without a final callback a launch counts as lost.
    init(id: String, _ facts: [RecordFacts], now: Timestamp, patience: Duration) {
        self.id = id
        let messages = facts.sorted { $0.sequence < $1.sequence }.map { Message(facts: $0) }
        self.messages = messages
        let finals = messages.count { $0.isFinal }
        let end = messages.first(where: \.isFinal)
        self.end = end
        let launches = messages.filter { $0.kind == .launch }
        let launch =
            launches.last { $0.facts.sequence < end?.facts.sequence ?? .max } ?? launches.last
        self.launch = launch
        if finals > 1 {
            state = .duplicate
        } else if let launch {
            let age = now.unixMilliseconds - launch.facts.receivedAt.unixMilliseconds
            let isLate = age > patience.milliseconds
            state = finals == 1 ? .returned : isLate ? .lost : .launched
        } else {
            state = .orphan
        }
    }

    /// The callbacks, oldest first.
    var callbacks: [Message] { messages.filter { $0.kind == .callback } }

    /// Milliseconds from the launch to the first final callback.
    var latency: Int64? {
        guard let launch, let end else { return nil }
        return end.facts.receivedAt.unixMilliseconds - launch.facts.receivedAt.unixMilliseconds
    }

    /// Whether a callback that tells of work in progress came behind one that ends it.
    var isOutOfOrder: Bool {
        guard let first = messages.firstIndex(where: \.isFinal) else { return false }
        return messages[first...].contains { $0.isProgress }
    }
}

extension Flow.Message {
    /// Whether it tells of work that goes on.
    var isProgress: Bool {
        kind == .callback && facts.outcome == Outcome.inProgress.rawValue
    }

    /// Whether it ends the flow: a callback that can't be decoded does, too.
    var isFinal: Bool { kind == .callback && !isProgress }
}
