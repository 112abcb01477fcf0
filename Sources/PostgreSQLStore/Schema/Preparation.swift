// Makes or checks the tables before a store uses them. The database may be away when a program
// starts, so whichever connection is opened first does it.
//
// Invariant: until it is done, no connection of the store can be opened. One that others wait for
// fails instead, because adding columns to large tables takes long.

import Synchronization

/// What a store's first connection does.
final class Preparation: Sendable {
    private enum State {
        case due, running
        case done(sequence: Int)
    }

    private let address: DatabaseAddress
    private let columns: FieldColumns
    private let state = Mutex(State.due)

    init(_ address: DatabaseAddress, _ columns: FieldColumns) {
        self.address = address
        self.columns = columns
    }

    /// The number of the last record when the tables were checked; nil before.
    var sequence: Int? {
        state.withLock { if case .done(let sequence) = $0 { sequence } else { nil } }
    }

    /// Makes or checks the tables unless that is done.
    ///
    /// Blocks. Throws `unreachable`, or `failed` for tables of another version.
    func ensure() throws(DatabaseError) {
        let (isDue, isRunning) = state.withLock { state in
            switch state {
            case .due:
                state = .running
                return (true, false)
            case .running: return (false, true)
            case .done: return (false, false)
            }
        }
        if isRunning {
            throw DatabaseError(kind: .unreachable, message: "its tables are being prepared")
        }
        guard isDue else { return }
        var next = State.due
        defer { state.withLock { $0 = next } }
        next = .done(sequence: try prepare())
    }

    /// Returns the number of the last record.
    private func prepare() throws(DatabaseError) -> Int {
        try columns.ensureComplete()
        let session = Session(address: address)
        let connection = try session.open(statementMilliseconds: Limits.migrationMilliseconds)
        if try connection.schemaState() == .empty {
            _ = try connection.migrate(schema: address.schema)
        } else if let missing = try connection.missingMigrations().first {
            throw DatabaseError(
                kind: .failed, state: "LF004",
                message: "its tables lack version \(missing.version) (\(missing.summary)): run "
                    + "`landfall store migrate`")
        }
        try columns.add(to: connection)
        return try connection.run(Head.newest, within: Limits.queryMilliseconds).first?.int(0) ?? 0
    }
}
