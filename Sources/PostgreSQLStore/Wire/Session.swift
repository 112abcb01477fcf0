// Opens connections, applies the settings that all of them need, and checks that the server is able
// to keep the results, and that its tables are prepared.
//
// Invariant: once a server is found to only read, its connections count as outdated for all copies
// of the session; new ones go to the host that writes.

import Synchronization

/// Opens connections to one database.
struct Session: Sendable {
    /// How often a server was found to only read.
    final class Handovers: Sendable {
        let count = Mutex(0)
    }

    let address: DatabaseAddress
    /// What has to be done before connections are used; nil for programs that look after the tables.
    var preparation: Preparation?
    /// After how long without a statement the server ends connections, in milliseconds; 0 for never.
    ///
    /// Before PostgreSQL 14 it can't.
    var idleMilliseconds: Int32 = 0
    let handovers = Handovers()

    /// Opens a connection.
    ///
    /// Blocks. Throws `unreachable`, or `failed` for a server that can't hold the results.
    ///
    /// - Parameter statementMilliseconds: how long a statement may take.
    func open(statementMilliseconds: Int32) throws(DatabaseError) -> Connection {
        try preparation?.ensure()
        let handover = handovers.count.withLock { $0 }
        let connection = try Connection(address)
        connection.handover = handover
        try ensureOwnProcess(connection)
        guard connection.version >= 130_000 else {
            throw DatabaseError(
                kind: .failed, state: "LF002",
                message: "it is PostgreSQL \(connection.version / 10_000); 13 or later is needed")
        }
        guard connection.parameter("server_encoding") == "UTF8" else {
            throw DatabaseError(
                kind: .failed, state: "LF003",
                message: "the database's encoding is not UTF8: create one with it")
        }
        var settings: [(name: String, value: String)] = [
            ("search_path", address.schema), ("jit", "off"), ("timezone", "UTC"),
            // A stricter level fails with 40001 wherever writers take turns.
            ("default_transaction_isolation", "read committed"),
            ("statement_timeout", "\(statementMilliseconds)"),
            ("lock_timeout", "\(statementMilliseconds)"),
            // A program that was halted, or whose machine is gone, must not hold locks for long.
            ("idle_in_transaction_session_timeout", "\(Limits.silenceMilliseconds)"),
            ("tcp_keepalives_idle", "\(Limits.connectSeconds)"), ("tcp_keepalives_interval", "2"),
            ("tcp_keepalives_count", "3"), ("tcp_user_timeout", "\(Limits.silenceMilliseconds)"),
        ]
        if connection.version >= 140_000 {
            settings.append(("idle_session_timeout", "\(idleMilliseconds)"))
        }
        try connection.run(
            settings.map { name, value in
                Statement(
                    sql: "SELECT set_config($1, $2, false)",
                    parameters: [.text(name), .text(value)])
            }, within: Limits.queryMilliseconds)
        try ensureDurability(connection)
        return connection
    }

    /// Whether no server was found to only read since a connection was opened.
    func isCurrent(_ connection: Connection) -> Bool {
        handovers.count.withLock { $0 == connection.handover }
    }

    /// Notes the error of a connection, which may be that its server only reads.
    func note(_ error: DatabaseError, of connection: Connection) {
        guard error.isOfReader else { return }
        handovers.count.withLock { if $0 == connection.handover { $0 += 1 } }
    }

    /// Refuses a pool between: it shares processes, so that settings and prepared statements are lost,
    /// and a lost transaction's process could not be ended.
    private func ensureOwnProcess(_ connection: Connection) throws(DatabaseError) {
        let process = try connection.run(
            Statement(sql: "SELECT pg_backend_pid()"), within: Limits.queryMilliseconds)
        guard process.first?.int(0) != Int(connection.backend) else { return }
        throw DatabaseError(
            kind: .failed, state: "LF006",
            message: "a pool such as PgBouncer is between: name the PostgreSQL server itself")
    }

    /// Turns on `synchronous_commit` if it is off: what is acknowledged must be durable.
    ///
    /// A stricter setting of the operator, such as `remote_apply`, stays.
    private func ensureDurability(_ connection: Connection) throws(DatabaseError) {
        try connection.run(
            [
                Statement(
                    sql: """
                        SELECT set_config('synchronous_commit', 'on', false)
                        WHERE current_setting('synchronous_commit') IN ('off', 'local')
                        """)
            ], within: Limits.queryMilliseconds)
    }
}
