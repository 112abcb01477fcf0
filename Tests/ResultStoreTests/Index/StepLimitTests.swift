// The bound for a statement's work: what SQLite has done before it was set doesn't count. And work
// that such a bound shows to be small: removing rows from the index.

import CSQLite
import GRDB
import Testing

@testable import ResultStore

@Suite struct StepLimitTests {
    /// Counts to a number, in about twelve steps of SQLite for each, with a limit of 250,000 steps.
    private func count(
        to number: Int, _ statement: Statement, _ database: Database
    ) throws -> Int? {
        // SAFETY: the connection is open during both calls, and the callee doesn't keep it.
        unsafe csqlite_limit_steps(database.sqliteConnection, 250_000)
        defer { unsafe csqlite_limit_steps(database.sqliteConnection, 0) }
        return try Int.fetchOne(statement, arguments: [number])
    }

    private func run(_ body: (Statement, Database) throws -> Void) throws {
        try DatabaseQueue().read { database in
            let statement = try database.makeStatement(
                sql: """
                    WITH RECURSIVE numbers (number) AS (
                        SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
                    SELECT max(number) FROM numbers
                    """)
            try body(statement, database)
        }
    }

    @Test func formerStepsOfAStatementDontCount() throws {
        try run { statement, database in
            for _ in 1...100 {
                let reached = try count(to: 1000, statement, database)
                #expect(reached == 1000)
            }
        }
    }

    @Test func aStatementEndsAfterItsSteps() throws {
        try run { statement, database in
            let error = #expect(throws: DatabaseError.self) {
                try count(to: 1_000_000, statement, database)
            }
            #expect(error?.resultCode == .SQLITE_INTERRUPT)
            let reached = try count(to: 1000, statement, database)
            #expect(reached == 1000)
        }
    }

    /// Erases few rows, then takes the first step of erasing many: each with fewer steps of SQLite
    /// than it takes when its statements read the whole inbox.
    @Test func removingRowsReadsFewOthers() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        var records = (1...6000).map { sampleRecord($0, inbox: "large") }
        // A kind that is rare in the inbox.
        for index in [99, 5997] { records[index].kind = .delivery }
        // Facets that the inbox lacks.
        records += (6001...6010).map { sampleRecord($0, inbox: "other", vendor: "vendor\($0)") }
        let receipts = try await store.append(records)
        try await store.index.catchUp()
        func erase(_ scope: Erasure.Scope) throws {
            let erasure = Erasure(scope: scope, sequence: .max, erasedAt: sampleMoment)
            try store.index.write { writer, database in
                // SAFETY: the connection is open during both calls, and the callee doesn't keep it.
                unsafe csqlite_limit_steps(database.sqliteConnection, 20_000)
                defer { unsafe csqlite_limit_steps(database.sqliteConnection, 0) }
                try writer.erase(erasure, database)
            }
        }
        try erase(.record(receipts[5999].id))
        try erase(.record(receipts[5997].id))
        try erase(.receivedBefore(records[4].receivedAt))
        let deliveries = InboxSummary(
            name: "large", count: 1, lastReceivedAt: records[99].receivedAt)
        #expect(try await store.index.inboxes(of: [.delivery]) == [deliveries])
        let callbacks = InboxSummary(
            name: "large", count: 5993, lastReceivedAt: records[5998].receivedAt)
        #expect(try await store.index.inboxes(of: [.callback]).first == callbacks)
        let scope = Erasure.Scope.inbox(
            "large", through: Erasure.Bound(receivedAt: records[5000].receivedAt, .max))
        let erasure = Erasure(scope: scope, sequence: .max, erasedAt: sampleMoment)
        let last = try store.index.write { writer, database in
            // SAFETY: as above.
            unsafe csqlite_limit_steps(database.sqliteConnection, 200_000)
            defer { unsafe csqlite_limit_steps(database.sqliteConnection, 0) }
            return try writer.eraseFirst(of: erasure, after: nil, database)
        }
        #expect(last != nil)
        await store.close()
    }
}
