// What the writer does on its connection beside its statements: transactions of several turns, and
// the end of a process that was lost during one.

import Foundation

extension Connection {
    /// Begins a transaction, which `body` ends unless it fails.
    func writing<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        // Nobody else writes until it ends.
        try run(
            [Statement(sql: "BEGIN"), Statement(sql: "SELECT seq FROM head FOR UPDATE")],
            within: Limits.writingMilliseconds)
        do throws(DatabaseError) {
            return try body()
        } catch {
            if !error.endsConnection {
                _ = try? run([Statement(sql: "ROLLBACK")], within: 1000)
            }
            throw error
        }
    }

    /// Ends another process of the database, which may still execute what was sent to it.
    ///
    /// - Parameter start: when that process began, as the database writes it.
    func endProcess(_ process: Int32, begunAt start: String) throws(DatabaseError) {
        for _ in 1...Limits.fencingTries {
            let reply = try run(
                Statement(
                    sql: """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE pid = $1 AND backend_start::text = $2
                        """, parameters: [.integer(Int(process)), .text(start)]),
                within: Limits.writingMilliseconds)
            if reply.first == nil { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw DatabaseError(kind: .unreachable, message: "a lost process of it does not end")
    }
}
