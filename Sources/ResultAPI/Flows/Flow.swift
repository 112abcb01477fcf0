// A flow: one launch and the callbacks that answered it, and what became of it.
//
// Invariant: made from what the store holds, at the moment of the question; nothing of it is kept.
// What has ended or was lost stays so: a later callback changes nothing, unless it repeats the one that
// ended it. The id of a flow is a UUIDv7, so that flows sort by the time of their launch.

import Clocks
import ResultStore
import Vendors

/// One launch and what answered it.
package struct Flow: Sendable {
    /// What became of a launch.
    package enum State: String, CaseIterable, Sendable {
        /// Nothing final came back, and may still come.
        case launched
        /// A final callback came in time.
        case returned
        /// Nothing final came back in time.
        case lost
        /// A callback names a launch that nobody knows.
        case orphan
        /// The callback that ended it came once more, exactly the same.
        case duplicate
    }

    /// A record of the flow.
    package struct Message: Sendable {
        package let facts: RecordFacts
        /// Of a callback.
        package var digest: CallbackDigest?

        package var kind: RecordKind { facts.kind }
    }

    package let id: String

    /// The flow's records, oldest first; at most `mostMessages`.
    package let messages: [Message]

    /// Where the launch was made or opened: records of other inboxes are none of the flow's.
    package let inbox: String?

    /// The first opening of the link; where nobody has opened it here, its making.
    package let launch: Message?

    /// The first callback that ends it.
    package let end: Message?

    package let state: State

    /// Most records of a flow that are looked at.
    package static let mostMessages = 200

    /// Tells what the records of a flow mean.
    ///
    /// - Parameter patience: after how long without a final callback a launch counts as lost.
    package init(id: String, _ messages: [Message], now: Timestamp, patience: Duration) {
        self.id = id
        let sorted = messages.sorted { $0.facts.sequence < $1.facts.sequence }
        let inbox = (sorted.first { $0.kind == .launch } ?? sorted.first)?.facts.inbox
        let own = sorted.filter { $0.facts.inbox == inbox }
        self.messages = own
        self.inbox = inbox
        let course = Course(own, patience: patience)
        end = course.end
        let last = course.end?.facts.sequence ?? .max
        let launches = own.filter { $0.kind == .launch }
        let before = launches.filter { $0.facts.sequence < last }
        let launch = before.first { !$0.isMaking } ?? before.first ?? launches.first
        self.launch = launch
        if course.repetitions > 0 {
            state = .duplicate
        } else if launch == nil {
            state = .orphan
        } else if course.end != nil {
            state = .returned
        } else {
            state = now.unixMilliseconds > course.deadline ?? .max ? .lost : .launched
        }
    }

    /// How a flow went, message by message.
    private struct Course {
        private(set) var end: Message?
        private(set) var repetitions = 0
        /// Up to when a final callback counts, in milliseconds since 1970; nil without a launch.
        private(set) var deadline: Int64?

        init(_ messages: [Message], patience: Duration) {
            for message in messages {
                let moment = message.facts.receivedAt.unixMilliseconds
                if message.kind == .launch, end == nil {
                    // Opened again: the patience begins anew.
                    deadline = moment + patience.milliseconds
                } else if message.isFinal {
                    if let end {
                        if message.digest != nil, message.digest == end.digest { repetitions += 1 }
                    } else if moment <= deadline ?? .max {
                        end = message
                    }
                }
            }
        }
    }

    /// The callbacks, oldest first.
    package var callbacks: [Message] { messages.filter { $0.kind == .callback } }

    /// The callback that says what became of it: the one that ended it, or the last report.
    package var answer: Message? { end ?? messages.last { $0.isProgress } }

    /// Milliseconds from the first opening to the callback that ended it.
    package var latency: Int64? {
        guard let launch, let end else { return nil }
        return end.facts.receivedAt.unixMilliseconds - launch.facts.receivedAt.unixMilliseconds
    }

    /// Milliseconds that a person took to decide on the emulated screen, which are part of the latency;
    /// nil where nobody was asked.
    var personTime: Int64? {
        let last = end?.facts.sequence ?? .max
        let openings = messages.filter {
            $0.kind == .launch && !$0.isMaking && $0.facts.sequence < last
        }
        guard let decision = openings.lastIndex(where: \.isDecision),
            let asked = openings[..<decision].last(where: { !$0.isDecision })
        else { return nil }
        return openings[decision].facts.receivedAt.unixMilliseconds
            - asked.facts.receivedAt.unixMilliseconds
    }

    /// Whether a report of work in progress came after the one that ended it.
    var isOutOfOrder: Bool {
        guard let end else { return false }
        return messages.contains { $0.isProgress && $0.facts.sequence > end.facts.sequence }
    }
}

extension Flow.Message {
    /// Whether it reports work that goes on.
    package var isProgress: Bool {
        kind == .callback && facts.outcome == Outcome.inProgress.rawValue
    }

    /// Whether it ends the flow: a callback that can't be decoded does, too; a webhook is about an item,
    /// and ends nothing.
    package var isFinal: Bool {
        kind == .callback && !isProgress && facts.contract != Contract.fluxWebhook.rawValue
    }

    /// Whether a link was made, and not opened.
    package var isMaking: Bool { kind == .launch && facts.path == "/api/v1/launches" }

    /// Whether a person decided on the emulated screen.
    package var isDecision: Bool { kind == .launch && !isMaking && facts.method == "POST" }
}
