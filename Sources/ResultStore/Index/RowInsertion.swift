// An INSERT statement whose values are bound one by one, without a box and an array for each row,
// and which runs without GRDB's bookkeeping: both cost more than SQLite's own work.
//
// Invariant: a value that isn't bound is NULL. Nothing observes transactions of the index, so
// nobody misses what GRDB would note.

import CSQLite
import GRDB

/// A prepared INSERT of one or more rows; it must not outlive the access to its database.
struct RowInsertion {
    private let statement: Statement
    private var count: Int32 = 0
    /// SQLite's code for the first value that it refused.
    private var failure: Int32 = 0

    init(_ statement: Statement) {
        self.statement = statement
        // Another user of the statement may have left values.
        statement.setUncheckedArguments(StatementArguments())
    }

    /// Binds the next value.
    mutating func bind(_ value: Int64?) {
        count += 1
        guard let value else { return }
        // SAFETY: GRDB keeps the statement while `statement` lives.
        note(unsafe csqlite_bind_integer(statement.sqliteStatement, count, value))
    }

    /// Binds the next value.
    mutating func bind(_ value: Double) {
        count += 1
        // SAFETY: as above.
        note(unsafe csqlite_bind_real(statement.sqliteStatement, count, value))
    }

    /// Binds the next value; a text of 2 GiB or more is refused.
    mutating func bind(_ text: String?) {
        count += 1
        guard let text else { return }
        // SAFETY: as above; SQLite copies the bytes during the call.
        let result = unsafe text.utf8Span.span.withUnsafeBytes { bytes in
            unsafe csqlite_bind_text(
                statement.sqliteStatement, count, bytes.baseAddress,
                Int32(clamping: bytes.count))
        }
        note(result)
    }

    /// Binds the next value as `FieldValue.databaseValue` has it.
    mutating func bind(_ value: FieldValue) {
        switch value {
        case .number(let number): bind(number)
        case .text(let text): bind(Optional(text))
        case .flag(let flag): bind(Int64(flag ? 1 : 0))
        }
    }

    /// Inserts the rows, and unbinds all values.
    ///
    /// - Returns: false if a row contradicts a constraint that the statement doesn't ignore.
    mutating func execute(in database: Database) throws -> Bool {
        defer { (count, failure) = (0, 0) }
        if failure != 0 { throw DatabaseError(resultCode: ResultCode(rawValue: failure)) }
        // SAFETY: as above.
        let code = ResultCode(rawValue: unsafe csqlite_insert(statement.sqliteStatement))
        if code.primaryResultCode == .SQLITE_CONSTRAINT { return false }
        guard code == .SQLITE_OK else {
            throw DatabaseError(resultCode: code, message: database.lastErrorMessage)
        }
        return true
    }

    private mutating func note(_ result: Int32) {
        if failure == 0 { failure = result }
    }
}
