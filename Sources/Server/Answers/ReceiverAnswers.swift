// The answers of all receivers: those of the configuration, and those that the API sets for the
// callbacks of a vendor to an inbox, which precede them.
//
// Invariant: in memory only; after a restart the configuration's are in force. A callback to a
// receiver without an answer takes no lock while the API has set none.

import Problems
import Settings
import Synchronization
import Vendors

/// Which receiver has which answer.
package final class ReceiverAnswers: Sendable {
    /// The callbacks of a vendor to an inbox, by whatever receiver they arrive.
    package struct Place: Hashable, Sendable {
        let vendor: Vendor
        package let inbox: String

        package init(_ vendor: Vendor, _ inbox: String) {
            self.vendor = vendor
            self.inbox = inbox
        }
    }

    /// Those of the configuration, by the place in `Configuration.receivers`.
    package let configured: [Int: AnswerProgram]
    private let programs = Mutex<[Place: AnswerProgram]>([:])
    /// The number of `programs`.
    private let count = Atomic(0)
    let waits = WaitingAnswers()

    package init(_ configured: [Int: ProgrammedAnswer] = [:]) {
        self.configured = configured.mapValues { AnswerProgram($0) }
    }

    /// The answer that the API has set; nil if it has set none.
    package subscript(place: Place) -> AnswerProgram? {
        count.load(ordering: .acquiring) == 0 ? nil : programs.withLock { $0[place] }
    }

    /// Sets the answer of a place with new counters, or removes it.
    ///
    /// - Parameter check: gets the present answer, which stays until the new one is set.
    ///
    /// Throws the error of `check`, and 409 beyond `Limits.answers` and `Limits.answerBytes`.
    package func set(
        _ answer: ProgrammedAnswer?, at place: Place,
        if check: (AnswerProgram?) throws(Problem) -> Void = { _ in }
    ) throws(Problem) {
        try programs.withLock { programs throws(Problem) in
            try check(programs[place])
            var changed = programs
            changed[place] = answer.map { AnswerProgram($0) }
            let bytes = changed.values.reduce(0) { $0 + $1.answer.bytes }
            guard answer == nil || changed.count <= Limits.answers && bytes <= Limits.answerBytes
            else {
                throw Problem(
                    status: .conflict, kind: "too-many-answers",
                    detail: "At most \(Limits.answers) receivers, and \(Limits.answerBytes) bytes, "
                        + "can be given an answer: remove one first. GET /api/v1/receivers lists "
                        + "them.")
            }
            programs = changed
            count.store(programs.count, ordering: .releasing)
        }
    }

    /// What the API has set, in a stable order.
    package var all: [(place: Place, program: AnswerProgram)] {
        programs.withLock { programs in
            programs.map { ($0.key, $0.value) }
        }.sorted { first, second in
            (first.place.vendor.rawValue, first.place.inbox)
                < (second.place.vendor.rawValue, second.place.inbox)
        }
    }
}
