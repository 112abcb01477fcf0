// Ends what SQLite does for a task that is cancelled, for example because its client has left.

import CSQLite
import GRDB
import Synchronization

/// The way to end one reading of the index, from another thread.
final class Interruption: Sendable {
    private enum State: Sendable {
        case waiting
        /// The address of the connection that is used now.
        case running(UInt)
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Runs a query that `interrupt` ends.
    ///
    /// Throws `CancellationError` if it was interrupted, or what `query` throws.
    func run<Value>(
        _ database: Database, _ query: (Database) throws -> Value
    ) throws -> Value {
        // SAFETY: the address is only used while the connection runs this query.
        let connection = unsafe UInt(bitPattern: database.sqliteConnection)
        let isInterrupted = state.withLock { state in
            guard case .waiting = state else { return true }
            state = .running(connection)
            return false
        }
        if isInterrupted { throw CancellationError() }
        defer { state.withLock { $0 = .ended } }
        do {
            return try query(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        }
    }

    /// Ends the query, also one that has not begun.
    func interrupt() {
        state.withLock { state in
            if case .running(let connection) = state {
                // SAFETY: the connection stays open until `run` has set the state to `ended`.
                unsafe csqlite_interrupt(OpaquePointer(bitPattern: connection))
            }
            state = .ended
        }
    }
}
