// A few connections for queries, each with a thread of its own, so that no event loop and no
// thread of Swift's pool waits for the database.
//
// Invariant: a query that failed because its connection was lost is run once more, on another
// connection; it only reads. What writes under a lock of its connection is never sent on another.
// While the database can't be reached, queries fail at once.

import Clocks
import ResultStore
import Synchronization

/// Asks the database, several queries at a time.
final class QueryPool: Sendable {
    private struct State: Sendable {
        /// Why no connection could be made, and when.
        var failure: (error: DatabaseError, at: UInt64)?
        /// Why the last query found no connection; nil if it had one.
        var absence: DatabaseError?
        /// Whether a query is on its way only to see whether there is a connection again.
        var isProbing = false
    }

    /// A thread's connection.
    private final class Lane: @unchecked Sendable {  // SAFETY: only that thread uses it.
        var connection: Connection?
    }

    private let session: Session
    private let statementMilliseconds: Int32
    private let state = Mutex(State())
    private let lanes: [Lane]
    private let workers: WorkerPool

    init(
        _ session: Session, count: Int = Limits.queryConnections,
        statementMilliseconds: Int32 = Limits.queryMilliseconds
    ) {
        self.session = session
        self.statementMilliseconds = statementMilliseconds
        lanes = (0..<count).map { _ in Lane() }
        workers = WorkerPool(name: "query", count: count)
    }

    /// Why the last query found no connection; nil if it had one.
    ///
    /// While there is a reason, this asks again beside the caller: a server that isn't ready gets no
    /// queries that would find out.
    func checkedFailure() -> StoreError? {
        let (absence, isDue) = state.withLock { state in
            let isDue = state.absence != nil && !state.isProbing
            if isDue { state.isProbing = true }
            return (state.absence, isDue)
        }
        if isDue {
            Task {
                _ = try? await ask { (connection) throws(DatabaseError) in
                    try connection.run(
                        Statement(sql: "SELECT 1"), within: Limits.newsMilliseconds
                    ).count
                }
                state.withLock { $0.isProbing = false }
            }
        }
        return absence.map { StoreError($0) }
    }

    /// Runs a query; `body` runs on a thread of its own.
    ///
    /// Throws `database`, `closed`, or `cancelled` if the task is cancelled before.
    ///
    /// - Parameter connects: whether a new connection may be made when there is none or when it is
    ///   lost; without it, that throws `database`.
    func ask<Value: Sendable>(
        connects: Bool = true,
        _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await workers.run { [self] thread in
            answer(lanes[thread], connects: connects, body)
        }
        return try result.get()
    }

    /// Ends the threads; queries that wait are run before.
    func close() async {
        await workers.close()
    }

    private func answer<Value>(
        _ lane: Lane, connects: Bool, _ body: (Connection) throws(DatabaseError) -> Value
    ) -> Result<Value, StoreError> {
        if let known = lane.connection, !session.isCurrent(known) { lane.connection = nil }
        var lost: DatabaseError?
        for _ in 1...2 where connects || lane.connection != nil {
            do throws(DatabaseError) {
                let connection: Connection
                if let known = lane.connection {
                    connection = known
                } else {
                    connection = try connect()
                }
                lane.connection = connection
                state.withLock { $0.absence = nil }
                return .success(try body(connection))
            } catch {
                if lane.connection == nil { state.withLock { $0.absence = error } }
                guard error.endsConnection else { return .failure(StoreError(error)) }
                if let connection = lane.connection { session.note(error, of: connection) }
                lane.connection = nil
                // That it can't be reached again says less than how it was lost.
                lost = lost ?? error
                if error.kind == .abandoned { break }
            }
        }
        return .failure(
            lost.map { StoreError($0) } ?? .database(reason: "the connection was lost"))
    }

    private func connect() throws(DatabaseError) -> Connection {
        let now = Clock.monotonicMilliseconds
        if let known = state.withLock({ $0.failure }), known.at + Limits.failureMilliseconds > now {
            throw known.error
        }
        do throws(DatabaseError) {
            let connection = try session.open(statementMilliseconds: statementMilliseconds)
            state.withLock { $0.failure = nil }
            return connection
        } catch {
            state.withLock { $0.failure = (error, Clock.monotonicMilliseconds) }
            throw error
        }
    }
}
