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
    }

    let kind: Kind
    /// The SQLSTATE; empty if there is none.
    var state = ""
    let message: String
    /// The constraint that was violated; empty if there is none.
    var constraint = ""

    /// Whether another transaction was in the way, so that another attempt may succeed.
    var isTransient: Bool { ["40001", "40P01", "55P03"].contains(state) }

    /// Whether the connection can't be used any more.
    ///
    /// An administrator's command, a crash of another process, or a shutdown ends it.
    var endsConnection: Bool { kind != .failed || state.hasPrefix("57P") }
}

extension StoreError {
    /// The store's error for one of the database.
    init(_ error: DatabaseError) {
        switch (error.kind, error.state) {
        case (_, "53100"): self = .full
        case (.unreachable, _): self = .database(reason: Self.oneLine(error.message))
        case (.lost, _):
            self = .database(reason: "the connection was lost: \(Self.oneLine(error.message))")
        case (.failed, "57014"):
            self = .database(
                reason: "a statement took longer than statement_timeout or was cancelled")
        case (.failed, "25006"):
            self = .database(
                reason: "it only reads: name the primary, or add target_session_attrs=read-write")
        case (.failed, let state):
            self = .database(reason: "\(Self.oneLine(error.message)) (SQLSTATE \(state))")
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }
}
