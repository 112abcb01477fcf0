// The bound for a statement's work: what SQLite has done before it was set doesn't count.

import CSQLite
import GRDB
import Testing

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
}
