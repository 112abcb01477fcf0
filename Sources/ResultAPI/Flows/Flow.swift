// A flow: one launch, its callbacks and its state.
//
// Invariant: computed from the store for each query; nothing is cached. The states returned and
// lost are final: a later callback doesn't change them, unless it repeats the one that ended the
// flow. A refused delivery changes nothing, nor does decoding again. A launch from which the
// vendor's app never comes back isn't lost. The id of a flow is a UUIDv7, so that flows sort by the
// time of their launch.

import Clocks
import JSON
import ResultStore
import Vendors

/// One launch and its callbacks.
package struct Flow: Sendable {
    /// The state of a launch.
    package enum State: String, CaseIterable, Sendable {
        /// No final callback yet; one may still come, unless the vendor's app never comes back.
        case launched
        /// A final callback came in time.
        case returned
        /// No final callback came in time.
        case lost
        /// A callback names an unknown launch.
        case orphan
        /// The callback that ended the flow was repeated exactly.
        case duplicate
    }

    /// A record of the flow.
    package struct Message: Sendable {
        package let facts: RecordFacts
        /// The digest of a callback; nil for other records.
        var digest: CallbackDigest?
        /// Whether the vendor's app comes back from a launch at all.
        var comesBack = true
        /// Whether it is a delivery that was refused.
        var wasRefused = false
        /// Whether it was decoded again, which gave it a new number.
        var isRedecoded = false

        var kind: RecordKind { facts.kind }
    }

    let id: String

    /// The flow's records, oldest first; of a long flow, those that were read.
    let messages: [Message]

    /// Number of callbacks, also of those that weren't read; a lower bound if there are too many to
    /// count.
    package var callbackCount: Int

    /// The inbox of the launch; records of other inboxes don't belong to the flow.
    package let inbox: String?

    /// The first opening of the link; its creation if it wasn't opened here.
    package let launch: Message?

    /// The first final callback.
    package let end: Message?

    package let state: State

    /// Maximum number of records of a flow that are read from its beginning, and as many from its
    /// end, and of those that may launch or end it.
    package static let mostMessages = 200

    /// What is true of records that launch a flow, and of callbacks that may end it.
    static let mayDecide = Condition.all([
        .kinds([.launch, .callback]),
        .not(.compare(.outcome, .equal, .text(Outcome.inProgress.rawValue))),
        .not(
            .any(
                Contract.allCases.filter(\.declaration.isWebhook).map {
                    .compare(.contract, .equal, .text($0.rawValue))
                })),
    ])

    /// Computes a flow from its records.
    ///
    /// - Parameter patience: time without a final callback after which a launch counts as lost.
    package init(id: String, _ messages: [Message], now: Timestamp, patience: Duration) {
        self.id = id
        let sorted = Self.ordered(messages)
        let inbox = (sorted.first { $0.kind == .launch } ?? sorted.first)?.facts.inbox
        let own = sorted.filter { $0.facts.inbox == inbox }
        self.messages = own
        callbackCount = own.count { $0.kind == .callback }
        self.inbox = inbox
        let course = Course(own, patience: patience)
        end = course.end
        let launches = own.filter { $0.kind == .launch }
        let before = Self.part(of: own, before: course.end).filter { $0.kind == .launch }
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

    /// Messages in the order of arrival: that of their numbers, or, for those that were decoded
    /// again, of their times.
    private static func ordered(_ messages: [Message]) -> [Message] {
        let byNumber = messages.sorted { $0.facts.sequence < $1.facts.sequence }
        var ordered = byNumber.filter { !$0.isRedecoded }
        for message in byNumber where message.isRedecoded {
            let next = ordered.firstIndex { $0.facts.receivedAt > message.facts.receivedAt }
            ordered.insert(message, at: next ?? ordered.endIndex)
        }
        return ordered
    }

    /// The messages before one of them; all of them before none.
    private static func part(
        of messages: [Message], before last: Message?
    ) -> ArraySlice<Message> {
        messages.prefix { $0.facts.id != last?.facts.id }
    }

    /// The course of a flow, message by message.
    private struct Course {
        private(set) var end: Message?
        private(set) var repetitions = 0
        /// The deadline for a final callback, in milliseconds since 1970; nil without a launch.
        private(set) var deadline: Int64?

        init(_ messages: [Message], patience: Duration) {
            for message in messages {
                let moment = message.facts.receivedAt.unixMilliseconds
                if message.kind == .launch, end == nil {
                    // The link was opened again: the patience restarts. The record of an earlier
                    // opening may come later, by an import.
                    deadline = max(
                        deadline ?? 0, message.comesBack ? moment + patience.milliseconds : .max)
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

    /// The callback that shows the outcome: the final one, or the last progress report.
    package var answer: Message? { end ?? messages.last { $0.isProgress } }

    /// Milliseconds from the first opening to the final callback.
    package var latency: Int64? {
        guard let launch, let end else { return nil }
        return Self.milliseconds(from: launch, to: end)
    }

    /// The time between two messages; nil if the second one has the earlier time, as an imported
    /// record may.
    private static func milliseconds(from first: Message, to second: Message) -> Int64? {
        let (start, end) = (first.facts.receivedAt, second.facts.receivedAt)
        return start > end ? nil : end.unixMilliseconds - start.unixMilliseconds
    }

    /// Milliseconds that a person took to decide on the emulated screen, included in the latency;
    /// nil if no screen was shown.
    var decisionMilliseconds: Int64? {
        let openings = Self.part(of: messages, before: end).filter {
            $0.kind == .launch && !$0.isMaking
        }
        guard let decision = openings.lastIndex(where: \.isDecision),
            let asked = openings[..<decision].last(where: { !$0.isDecision })
        else { return nil }
        return Self.milliseconds(from: asked, to: openings[decision])
    }

    /// Whether a progress report came after the final callback.
    var isOutOfOrder: Bool {
        guard let end else { return false }
        let later = messages.reversed().prefix { $0.facts.id != end.facts.id }
        return later.contains(where: \.isProgress)
    }
}

extension Flow.Message {
    /// Reads the message of a stored record.
    init(_ facts: RecordFacts, _ line: StoredLine) {
        let isCallback = facts.kind == .callback
        let root = isCallback ? (try? JSONDocument(parsing: line.text))?.root : nil
        let launch = facts.kind == .launch ? OpenFlows.launch(in: line.text) : nil
        self.init(
            facts: facts, digest: root.flatMap { CallbackDigest(ofRecord: $0) },
            comesBack: launch?.comesBack ?? true,
            wasRefused: root.map { RecordDiagnostics.isRefused($0) } ?? false,
            isRedecoded: root?["redecoded_at"] != nil)
    }

    /// Whether the message reports progress.
    var isProgress: Bool {
        kind == .callback && !wasRefused && facts.outcome == Outcome.inProgress.rawValue
    }

    /// Whether the message ends the flow; a callback that can't be decoded does too.
    ///
    /// A webhook is about an item and never does; a refused delivery doesn't either.
    var isFinal: Bool {
        kind == .callback && !wasRefused && !isProgress && !Contract.isWebhook(facts.contract)
    }

    /// Whether a link was created but not opened.
    var isMaking: Bool { kind == .launch && facts.path == APIPath.launches }

    /// Whether a person decided on the emulated screen.
    var isDecision: Bool { kind == .launch && !isMaking && facts.method == "POST" }
}
