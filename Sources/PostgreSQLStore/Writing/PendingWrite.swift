// What waits for the writer of a database: records, and the parts of erasures.

import ResultStore
import Synchronization

extension DatabaseWriter {
    /// What is to be written.
    enum Content: Sendable {
        /// - `mayBeThere`: whether it is stored only if its id is not there yet.
        case record(PreparedRecord, mayBeThere: Bool)
        /// - `from`: the place of the first record that it covers; earlier ones only if their
        ///   number is higher than `after`.
        case erasure(Erasure.Scope, from: Int64, after: Int)
    }

    /// What was written: a record, or the number of records that an erasure covered.
    struct Outcome: Sendable {
        var id: RecordID?
        var sequence = 0
        var count = 0
        /// Whether the record had been stored before.
        var wasThere = false
        /// Where the rest of an erasure begins, which has to follow; nil if it is complete.
        var rest: Int64?
    }

    /// Erases records in one transaction after the other, between which others write; adds those
    /// that are erased to `count`, also if it fails then.
    ///
    /// - Parameters:
    ///   - first: the place of the first record that may be erased.
    ///   - pause: called before each transaction; the erasure ends with what it throws.
    func erase(
        _ scope: Erasure.Scope, from first: Int64 = .min, counting count: inout Int,
        before pause: () async throws(StoreError) -> Void = {}
    ) async throws(StoreError) {
        var rest: Int64? = first
        var number = Int.max
        while let place = rest {
            try await pause()
            let outcome = try await write(.erasure(scope, from: place, after: number))
            count += outcome.count
            rest = outcome.rest
            // What has come to erased places meanwhile has a higher number than the first part.
            if first == .min { number = min(number, outcome.sequence) }
        }
    }
}

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

extension [PendingWrite] {
    /// Number of queued parts for the next transaction: one erasure, or records with equal traits,
    /// different ids and different claims of keys.
    var batchSize: Int {
        guard let trait = first?.trait else { return Swift.min(1, count) }
        var (bytes, ids, claims) = (0, Set<RecordID>(), Set<[Int64]>())
        for (count, pending) in enumerated() {
            guard count < Limits.batchRecords, let record = pending.record,
                pending.trait == trait
            else { return count }
            bytes += record.tail.count
            if bytes > Limits.batchBytes, count > 0 { return count }
            if let id = record.id, !ids.insert(id).inserted { return count }
            if let claim = record.claim, !claims.insert(claim).inserted { return count }
        }
        return count
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
