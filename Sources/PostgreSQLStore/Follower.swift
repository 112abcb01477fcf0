// Hands what was stored to the feed: own batches at once, those of other instances when the database
// notifies of them, or within a second if it doesn't.
//
// Invariant: the feed gets every record and erasure once, in the order of numbers. Numbers are in the
// order of commits, so everything up to the last committed one can be read. After a failover to a
// standby that lacks the last ones, their numbers are given again: the feed goes back to what both have
// in common, so that some records may come twice, but none is left out.

import Clocks
import Foundation
import JSON
import ResultStore
import Synchronization

/// Follows the writes of all instances.
final class Follower: Sendable {
    private struct State: Sendable {
        /// The number up to which the feed has everything; nil until the database was reached.
        var through: Int?
        var trail = Trail()
        /// Own batches whose predecessors have not been read yet, by their first number.
        var stash: [Int: OwnBatch] = [:]
        var isReading = false
        /// How often it went back.
        var retreats = 0
        var isClosing = false
        var failure: StoreError?
    }

    private let session: Session
    private let preparation: Preparation
    private let catalog: FieldCatalog
    private let feed: Feed
    private let onEvent: @Sendable (StoreEvent) -> Void
    private let state: Mutex<State>
    private let worker = Worker(name: "follower", ())

    /// The feed gets everything that is stored after the tables were prepared.
    ///
    /// - Parameters:
    ///   - absence: why the database can't be reached; nil if it was.
    ///   - onEvent: called when the connection is lost, and when there is one again.
    init(
        _ session: Session, _ preparation: Preparation, feed: Feed, catalog: FieldCatalog,
        absence: StoreError?, onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        self.session = session
        self.preparation = preparation
        self.onEvent = onEvent
        self.feed = feed
        self.catalog = catalog
        state = Mutex(State())
        begin()
        note(absence)
        worker.start { [weak self] in self?.follow() }
        worker.access { _, alarm in alarm.ring() }
    }

    /// Why the database can't be followed; nil if it can.
    var failure: StoreError? { state.withLock { $0.failure } }

    /// How often the database was found to lack what was followed.
    var retreats: Int { state.withLock { $0.retreats } }

    func close() async {
        state.withLock { $0.isClosing = true }
        await worker.stop()
    }

    /// Notes where to begin, once that is known.
    private func begin() {
        state.withLock { state in
            guard state.through == nil, let sequence = preparation.sequence else { return }
            _ = feed.advance(to: sequence)
            state.through = sequence
        }
    }

    /// Takes a batch that this instance has stored.
    func take(_ batch: OwnBatch) {
        guard let first = batch.records.first?.facts.sequence else { return }
        begin()
        state.withLock { state in
            guard let through = state.through, first > through else { return }
            if state.isReading || first != through + 1 {
                if state.stash.count < Limits.stashedBatches { state.stash[first] = batch }
            } else {
                hand(batch, &state)
            }
        }
    }

    private func hand(_ batch: OwnBatch, _ state: inout State) {
        guard let first = batch.records.first?.facts.sequence,
            let last = batch.records.last?.facts.sequence
        else { return }
        if feed.advance(to: last) {
            feed.deliver(
                batch.records.map {
                    FeedRecord(facts: $0.facts, line: $0.line, isDecodedAgain: $0.isDecodedAgain)
                }, [])
        }
        for record in batch.records { state.trail.note(record.facts.sequence, record.facts.id) }
        if state.trail.through == first - 1 { state.trail.advance(to: last) }
        state.through = last
    }

    private var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Follows until the store closes; runs on the worker's thread.
    private func follow() {
        while !isClosing {
            do throws(DatabaseError) {
                let connection = try session.open(
                    statementMilliseconds: Limits.queryMilliseconds)
                begin()
                try connection.run(
                    [Statement(sql: "LISTEN \"\(session.address.schema)\"")],
                    within: Limits.queryMilliseconds)
                try settle(connection)
                note(nil)
                try follow(connection)
            } catch {
                note(StoreError(error))
                for _ in 1...5 where !isClosing { Thread.sleep(forTimeInterval: 0.1) }
            }
        }
    }

    /// Notes whether the database can be followed, and reports a change.
    private func note(_ failure: StoreError?) {
        let wasFailing = state.withLock { state in
            defer { state.failure = failure }
            return state.failure != nil
        }
        if let failure, !wasFailing { onEvent(.databaseLost(failure)) }
        if failure == nil, wasFailing { onEvent(.databaseFound) }
    }

    private func follow(_ connection: Connection) throws(DatabaseError) {
        var looked: UInt64 = 0
        while !isClosing {
            guard session.isCurrent(connection) else {
                throw DatabaseError(kind: .lost, message: "its server only reads now")
            }
            var newest = 0
            while let text = connection.notification() { newest = max(newest, Int(text) ?? 0) }
            let now = Clock.monotonicMilliseconds
            if now >= looked + Limits.followMilliseconds {
                newest = max(newest, try head(connection))
                try remember(connection)
                looked = now
            }
            if newest > 0 { try catchUp(to: newest, connection) }
            try connection.wait(Limits.sliceMilliseconds)
        }
    }

    /// The number of the last record or erasure.
    private func head(_ connection: Connection) throws(DatabaseError) -> Int {
        let before = state.withLock { $0.through }
        let reply = try connection.run(Head.newest, within: Limits.newsMilliseconds)
        let head = reply.first?.int(0) ?? 0
        if let before, head < before { try settle(connection) }
        return head
    }

    // MARK: Failover

    /// Goes back to what the database has of what was followed, if it lacks some of it.
    ///
    /// It does if a standby was promoted that lagged; then its numbers are given again, perhaps
    /// before this looks.
    private func settle(_ connection: Connection) throws(DatabaseError) {
        let (through, trail) = state.withLock { ($0.through, $0.trail) }
        guard let through else { return }
        let replies = try connection.run(
            [
                Head.newest,
                Statement(
                    sql: "SELECT seq, id FROM results WHERE seq = ANY ($1)",
                    parameters: [.integers(trail.sequences)], isKept: true),
            ], within: Limits.queryMilliseconds)
        let head = replies[0].first?.int(0) ?? 0
        var found: [Int: RecordID] = [:]
        for row in replies[1].rows { found[row.int(0)] = row.id(1) }
        let common = trail.common(with: found, head: head) ?? (head < through ? head : nil)
        if let common { retreat(to: common) }
        try remember(connection)
    }

    private func retreat(to sequence: Int) {
        state.withLock { state in
            state.retreats += 1
            state.trail.retreat(to: sequence)
            // What this instance has stored since is read back.
            state.stash = [:]
            state.through = state.through.map { min($0, sequence) }
            feed.retreat(to: sequence)
        }
    }

    /// Notes the newest records that were passed over because nobody needed them.
    private func remember(_ connection: Connection) throws(DatabaseError) {
        let range = state.withLock { state -> (from: Int, to: Int)? in
            guard let through = state.through, state.trail.through < through else { return nil }
            return (state.trail.through, through)
        }
        guard let range else { return }
        let reply = try connection.run(
            Statement(
                sql: """
                    SELECT seq, id FROM results WHERE seq > $1 AND seq <= $2
                    ORDER BY seq DESC LIMIT \(Limits.rememberedSteps / 2)
                    """, parameters: [.integer(range.from), .integer(range.to)], isKept: true),
            within: Limits.queryMilliseconds)
        state.withLock { state in
            for row in Array(reply.rows).reversed() {
                if let id = row.id(1) { state.trail.note(row.int(0), id) }
            }
            state.trail.advance(to: range.to)
        }
    }

    // MARK: Reading

    /// Hands everything up to a committed number to the feed.
    private func catchUp(to newest: Int, _ connection: Connection) throws(DatabaseError) {
        while true {
            let range = state.withLock { state -> (from: Int, to: Int)? in
                while let through = state.through,
                    let own = state.stash.removeValue(forKey: through + 1)
                {
                    hand(own, &state)
                }
                guard let through = state.through else { return nil }
                state.stash = state.stash.filter { $0.key > through }
                guard through < newest else { return nil }
                let end = min(newest, (state.stash.keys.min() ?? .max) - 1)
                guard feed.advance(to: end) else {
                    state.through = end
                    return (0, 0)
                }
                state.isReading = true
                return (through, end)
            }
            guard let range else { return }
            if range.to == 0 { continue }
            defer { state.withLock { $0.isReading = false } }
            let (records, erasures, end) = try read(range.from, range.to, connection)
            state.withLock { state in
                feed.deliver(records, erasures)
                for record in records { state.trail.note(record.facts.sequence, record.facts.id) }
                state.trail.advance(to: end)
                state.through = end
            }
        }
    }

    private func read(
        _ from: Int, _ to: Int, _ connection: Connection
    ) throws(DatabaseError) -> (records: [FeedRecord], erasures: [Erasure], end: Int) {
        let bounds = [Parameter.integer(from), .integer(to)]
        let replies = try connection.run(
            [
                Statement(
                    sql: """
                        SELECT \(LineRow.columns) FROM results
                            JOIN facets ON facets.id = results.facet
                        WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT \(Limits.followedRecords)
                        """, parameters: bounds, isKept: true),
                Statement(
                    sql: """
                        SELECT seq, scope, erased_at FROM erasures
                        WHERE seq > $1 AND seq <= $2 ORDER BY seq
                        """, parameters: bounds, isKept: true),
            ], within: Limits.queryMilliseconds)
        // A row that a newer program wrote can't be read, but is one of the page.
        let rows = Array(replies[0].rows)
        let isWhole = rows.count < Limits.followedRecords
        let end = isWhole ? to : rows.last?.int(1) ?? to
        let records = rows.compactMap { row -> FeedRecord? in
            guard let line = LineRow.line(row), let facts = catalog.facts(in: line) else {
                return nil
            }
            return FeedRecord(
                facts: facts, line: line, isDecodedAgain: LineRow.isDecodedAgain(row))
        }
        let erasures = replies[1].rows.compactMap { row -> Erasure? in
            guard row.int(0) <= end, let scope = Erasure.scope(of: row.octets(1)) else {
                return nil
            }
            return Erasure(
                scope: scope.limited(before: row.int(0)), sequence: row.int(0),
                erasedAt: Timestamp(unixMilliseconds: row.integer(2) ?? 0))
        }
        return (records, erasures, end)
    }
}

extension Erasure {
    /// The scope in a row of the table of erasures; nil for a scope of a newer program.
    static func scope(of text: [UInt8]?) -> Scope? {
        text.flatMap { try? JSONDocument(parsing: $0) }.flatMap { Erasure($0.root) }?.scope
    }
}

/// The columns from which a line is made.
enum LineRow {
    static let columns = "place, seq, results.id, facets.kind, redecoded_at, tail"

    static func line(_ row: Reply.Row) -> StoredLine? {
        guard let place = row.integer(0), let id = row.id(2),
            let kind = RecordKind(number: row.int(3)), let tail = row.octets(5)
        else { return nil }
        return StoredLine(
            id: id, sequence: row.int(1), kind: kind, receivedAt: Place.moment(place),
            redecodedAt: row.integer(4).map { Timestamp(unixMilliseconds: $0) }, tail: tail)
    }

    /// The line of a row, if its record can be read.
    static func readableLine(
        _ row: Reply.Row, _ catalog: FieldCatalog
    ) -> Result<StoredLine, StoreError> {
        guard let line = Self.line(row), catalog.facts(in: line) != nil else {
            return .failure(.unreadableRow(sequence: row.int(1)))
        }
        return .success(line)
    }

    /// Whether the record had been stored before, and was decoded again.
    static func isDecodedAgain(_ row: Reply.Row) -> Bool {
        guard let place = row.integer(0), row.integer(4) != nil else { return false }
        return Place.firstNumber(at: place, of: row.int(1)) < row.int(1)
    }
}
