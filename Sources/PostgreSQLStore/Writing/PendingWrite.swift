// What waits for the writer of a database.

import ResultStore
import Synchronization

/// A record or an erasure that is to be written.
struct PendingWrite: Sendable {
    typealias Answer = Result<DatabaseWriter.Outcome, StoreError>

    /// Records of which this is equal may share a transaction.
    struct Trait: Equatable {
        /// Whether the record takes the place of the one with its id.
        let replaces: Bool
        let mayBeThere: Bool
        let isNumbered: Bool
    }

    let content: DatabaseWriter.Content
    /// The answers to all records of its call; nil for a single one.
    var call: WriteAnswers?
    let answer: @Sendable (Answer) -> Void

    var record: PreparedRecord? {
        if case .record(let record, _) = content { record } else { nil }
    }

    var trait: Trait? {
        guard case .record(let record, let mayBeThere) = content else { return nil }
        return Trait(
            replaces: record.redecodedAt != nil && !mayBeThere,
            mayBeThere: mayBeThere, isNumbered: record.number != nil)
    }

    /// Whether an earlier record of its call could not be stored, so that this one must not be
    /// either; then it has its answer.
    func isAbandoned() -> Bool {
        guard let failure = call?.failure else { return false }
        answer(.failure(failure))
        return true
    }
}

/// The answers to the records of one call.
final class WriteAnswers: Sendable {
    private struct State {
        var answers: [PendingWrite.Answer?]
        /// How many are missing.
        var left: Int
        var failure: StoreError?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(answers: Array(repeating: nil, count: count), left: count))
    }

    /// Whether this was the last answer.
    func take(_ answer: PendingWrite.Answer, at index: Int) -> Bool {
        state.withLock { state in
            state.answers[index] = answer
            if case .failure(let failure) = answer, case .database = failure {
                state.failure = failure
            }
            state.left -= 1
            return state.left == 0
        }
    }

    /// Why the database could not be used; nil if it could.
    var failure: StoreError? { state.withLock { $0.failure } }

    var all: [PendingWrite.Answer] { state.withLock { $0.answers.compactMap(\.self) } }
}
