// What can go wrong with a database, and what the store says about it.

import ResultStore

/// A failed statement, or a connection that was lost.
struct DatabaseError: Error, Equatable {
    enum Kind: Equatable {
        /// No connection could be made.
        case unreachable
        /// The connection ended, or the time was over: a statement may have been executed.
        case lost
        /// The database refused a statement, and everything that was sent with it.
        case failed
        /// The store closes, so a statement isn't waited for any more: it may have been executed.
        case abandoned
    }

    let kind: Kind
    /// The SQLSTATE; empty for an error of the connection.
    var state = ""
    let message: String
    /// The constraint that was violated; empty for other errors.
    var constraint = ""

    /// Whether another transaction was in the way, so that another attempt may succeed.
    var isTransient: Bool { ["40001", "40P01", "55P03"].contains(state) }

    /// Whether a connection failed for a reason that passes by itself: the server isn't promoted yet,
    /// has too many connections (53300), or is starting (57P03).
    ///
    /// libpq has no SQLSTATE for it, only text, of every host that it tried. A server's text that isn't
    /// in English doesn't count.
    var isPassing: Bool {
        kind == .unreachable && Self.passing.contains { message.contains($0) }
            && !Self.lasting.contains { message.contains($0) }
    }

    private static let passing = [
        "session is read-only", "could not make a writable connection", "too many clients already",
        "remaining connection slots are reserved", "too many connections for",
        "the database system is ",
    ]

    /// What the address or a password is wrong for.
    private static let lasting = [
        "authentication failed", "no password supplied", "does not exist", "pg_hba.conf",
        "certificate",
    ]

    /// Whether the connection can't be used any more.
    ///
    /// An administrator's command, a crash of another process, or a shutdown ends it (57P). So does a
    /// transaction in which the client was silent, or that took too long (25P03, 25P04). A server
    /// that only reads keeps it, but another host of the address may have taken over.
    var endsConnection: Bool {
        kind != .failed || isOfReader || ["57P", "25P03", "25P04"].contains { state.hasPrefix($0) }
    }

    /// Whether the server only reads, as a primary that hands over to a standby does.
    var isOfReader: Bool { state == "25006" }
}

extension DatabaseError {
    /// Whether the database refused values: their form (22), a constraint (23), their size (54), or a
    /// trigger of its own (P0).
    ///
    /// It says nothing about other statements.
    var isOfValues: Bool {
        kind == .failed && ["22", "23", "54", "P0"].contains { state.hasPrefix($0) }
    }
}

extension StoreError {
    /// The store's error for one of the database.
    init(_ error: DatabaseError) {
        switch (error.kind, error.state) {
        case (.unreachable, _):
            let message = Self.oneLine(error.message)
            let advice = Self.advice.first { message.contains($0.part) }?.advice
            self = .database(reason: message + (advice.map { "; \($0)" } ?? ""))
        case (.lost, _):
            self = .database(reason: "the connection was lost: \(Self.oneLine(error.message))")
        case (.abandoned, _): self = .closed
        case (.failed, _) where Head.isLost(error): self = .database(reason: Head.loss)
        case (.failed, "57014"):
            self = .database(
                reason: "a statement took longer than statement_timeout allows, or was cancelled: "
                    + "ask for less, or see what keeps the database busy")
        case (.failed, "25006"):
            self = .database(
                reason: "it only reads: name the primary, or add target_session_attrs=read-write")
        case (.failed, "53100"):
            self = .database(
                reason: "its disk is full: make room on its server (\(Self.oneLine(error.message)))"
            )
        case (.failed, "53200"):
            self = .database(
                reason: "it is out of memory or has no room for more locks: raise "
                    + "max_locks_per_transaction on its server (\(Self.oneLine(error.message)))")
        case (.failed, let state):
            self = .database(reason: "\(Self.oneLine(error.message)) (SQLSTATE \(state))")
        }
    }

    /// What to do about what libpq says in English.
    private static let advice: [(part: String, advice: String)] = [
        ("read-only", "name the primary, or all hosts"),
        ("no password supplied", "set PGPASSFILE or PGPASSWORD in the environment"),
        ("password authentication failed", "correct what PGPASSFILE or PGPASSWORD holds"),
        ("does not match host name", "use a name that the server's certificate has"),
        ("certificate verify failed", "name the authority's certificate by PGSSLROOTCERT"),
        ("root certificate file", "name the authority's certificate by PGSSLROOTCERT"),
        ("does not exist", "create it, or correct the address"),
        ("Connection refused", "start the database, or correct the address"),
        ("No such file or directory", "start the database, or correct the address"),
        ("could not translate host name", "correct the address"),
    ]

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }
}
