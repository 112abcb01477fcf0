// A connection to the database, in pipeline mode: the statements of a turn are sent at once and form
// one transaction.
//
// Invariant: after an error of a statement, nothing of its turn has happened; after a lost
// connection, that is unknown. A connection belongs to one thread.

import CPostgreSQL

/// A statement and the values of its parameters.
struct Statement {
    let sql: String
    var parameters: [Parameter] = []
    /// Whether it is prepared once for each connection.
    ///
    /// Only for statements of which there are few; others are planned for their values.
    var isKept = false
}

/// A connection to the database.
// SAFETY: the handle is made in `init`, closed once, in `deinit`, and only used between.
@safe final class Connection {
    private let handle: OpaquePointer
    /// The names of prepared statements, by SQL.
    private var prepared: [String: String] = [:]
    private var preparations = 0

    /// Number of its process, which ends with it.
    let backend: Int32
    /// How many handovers its session had seen when it was opened.
    var handover = 0

    /// Connects; blocks.
    ///
    /// Throws `unreachable`.
    init(_ address: DatabaseAddress) throws(DatabaseError) {
        // SAFETY: the handle is closed once, in `deinit`, and only used before.
        if let reason = unsafe cpq_load() {
            throw DatabaseError(
                kind: .unreachable,
                message: unsafe "libpq can't be loaded: \(String(cString: reason)). "
                    + "Install Debian's package libpq5")
        }
        let opened = unsafe Self.withKeywords(of: address) { unsafe cpq_connect($0, $1) }
        guard let opened = unsafe opened else {
            throw DatabaseError(kind: .unreachable, message: "there is no memory")
        }
        guard unsafe cpq_is_connected(opened) != 0 else {
            let message = unsafe String(cString: cpq_error(opened))
            unsafe cpq_close(opened)
            throw DatabaseError(kind: .unreachable, message: message)
        }
        unsafe handle = opened
        backend = unsafe cpq_backend(opened)
    }

    /// Whether a server answers that takes connections, if not this one.
    ///
    /// Blocks.
    static func isAnswered(at address: DatabaseAddress) -> Bool {
        guard unsafe cpq_load() == nil else { return true }
        return unsafe withKeywords(of: address) { unsafe cpq_is_answered($0, $1) != 0 }
    }

    /// Calls `body` with the names and values of an address, in turn, and the number of names.
    private static func withKeywords<Value>(
        of address: DatabaseAddress,
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, Int32) -> Value
    ) -> Value {
        // SAFETY: the texts and the array of their pointers live for the call; libpq copies them.
        let texts = unsafe address.keywords.flatMap { [$0.name, $0.value] }.map { text in
            unsafe text.utf8CString.withUnsafeBufferPointer { octets in
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: octets.count)
                unsafe copy.initialize(
                    from: octets.baseAddress ?? UnsafePointer(copy), count: octets.count)
                return unsafe copy
            }
        }
        defer { for index in unsafe texts.indices { unsafe texts[index].deallocate() } }
        let pointers = unsafe texts.map { unsafe UnsafePointer<CChar>($0) as UnsafePointer<CChar>? }
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            unsafe body(buffer.baseAddress, Int32(buffer.count / 2))
        }
    }

    deinit {
        // SAFETY: see `init`.
        unsafe cpq_close(handle)
    }

    /// The server's version, such as 150018.
    var version: Int {
        // SAFETY: see `init`.
        Int(unsafe cpq_server_version(handle))
    }

    /// A parameter that the server reports.
    func parameter(_ name: String) -> String? {
        // SAFETY: see `init`; the text is copied before the next call.
        unsafe cpq_parameter(handle, name).map { unsafe String(cString: $0) }
    }

    /// Executes statements in one transaction; returns the result of each.
    ///
    /// Blocks for up to `milliseconds`.
    ///
    /// Throws `failed`, `lost` or `abandoned`.
    ///
    /// - Parameter isAbandoned: asked now and then; once it is true, the statements are cancelled.
    @discardableResult
    func run(
        _ statements: [Statement], within milliseconds: Int32,
        unless isAbandoned: () -> Bool = { false }
    ) throws(DatabaseError) -> [Reply] {
        /// What the next results belong to: a statement, or the preparation of this text.
        var expected: [String?] = []
        if prepared.count > Limits.preparedStatements { try forget(within: milliseconds) }
        for statement in statements {
            if statement.isKept, prepared[statement.sql] == nil {
                try prepare(statement)
                expected.append(statement.sql)
            }
            try queue(statement)
            expected.append(nil)
        }
        // SAFETY: see `init`.
        if unsafe cpq_send(handle, milliseconds) != 0 { throw lost() }
        let replies = try results(expected[...], within: milliseconds, unless: isAbandoned)
        guard replies.count == statements.count else {
            throw DatabaseError(kind: .lost, message: "an answer is missing")
        }
        return replies
    }

    /// Executes one statement.
    func run(_ statement: Statement, within milliseconds: Int32) throws(DatabaseError) -> Reply {
        try run([statement], within: milliseconds)[0]
    }

    private func prepare(_ statement: Statement) throws(DatabaseError) {
        preparations += 1
        let name = "s\(preparations)"
        prepared[statement.sql] = name
        let types = statement.parameters.map(\.type)
        // SAFETY: see `init`; the array lives for the call.
        let result = unsafe types.withUnsafeBufferPointer { types in
            unsafe cpq_queue_preparation(
                handle, name, statement.sql, Int32(types.count), types.baseAddress)
        }
        if result != 0 { throw lost() }
    }

    private func queue(_ statement: Statement) throws(DatabaseError) {
        let parameters = statement.parameters
        let types = parameters.map(\.type)
        let sizes = parameters.map { $0.bytes.map { Int32(truncatingIfNeeded: $0.count) } ?? -1 }
        let bytes = parameters.reduce(into: [UInt8]()) { $0 += $1.bytes ?? [] }
        let name = statement.isKept ? prepared[statement.sql] : nil
        // SAFETY: see `init`; the arrays live for the call, and `sizes` adds up to `bytes`.
        let result = unsafe types.withUnsafeBufferPointer { types in
            unsafe sizes.withUnsafeBufferPointer { sizes in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    unsafe cpq_queue(
                        handle, name ?? statement.sql, name == nil ? 0 : 1,
                        Int32(parameters.count), types.baseAddress, sizes.baseAddress,
                        bytes.baseAddress)
                }
            }
        }
        if result != 0 { throw lost() }
    }

    private func forget(within milliseconds: Int32) throws(DatabaseError) {
        prepared = [:]
        try run([Statement(sql: "DEALLOCATE ALL")], within: milliseconds)
    }

    /// Reads the results of a turn up to its end.
    private func results(
        _ expected: ArraySlice<String?>, within milliseconds: Int32, unless isAbandoned: () -> Bool
    ) throws(DatabaseError) -> [Reply] {
        var expected = expected
        var waited: Int32 = 0
        var replies: [Reply] = []
        var failure: DatabaseError?
        while true {
            var result: OpaquePointer?
            let slice = min(Limits.sliceMilliseconds, milliseconds - waited)
            // SAFETY: see `init`; the result is freed once, and only read before.
            let outcome = unsafe cpq_next(handle, slice, &result)
            defer { unsafe cpq_free(result) }
            switch outcome {
            case cpq_synced:
                if let failure { throw failure }
                return replies
            case cpq_lost: throw failure ?? lost()
            case cpq_timed_out:
                waited += slice
                if isAbandoned() {
                    // SAFETY: see `init`.
                    unsafe cpq_cancel(handle, Limits.cancelSeconds)
                    throw DatabaseError(kind: .abandoned, message: "the store closes")
                }
                if waited < milliseconds { continue }
                throw DatabaseError(kind: .lost, message: "the database did not answer in time")
            default: break
            }
            let preparation = expected.popFirst() ?? nil
            if outcome == cpq_done, let result = unsafe result {
                if preparation == nil { replies.append(unsafe Self.reply(result)) }
                continue
            }
            if let preparation { prepared[preparation] = nil }
            if failure == nil, let result = unsafe result {
                failure = unsafe Self.failure(result)
            }
        }
    }

    private static func failure(_ result: OpaquePointer) -> DatabaseError {
        // SAFETY: the result lives for the calls, and the texts are copied.
        let state = unsafe String(cString: cpq_state(result))
        let message = unsafe String(cString: cpq_message(result))
        let constraint = unsafe String(cString: cpq_constraint(result))
        return DatabaseError(
            kind: state.isEmpty ? .lost : .failed, state: state, message: message,
            constraint: constraint)
    }

    private static func reply(_ result: OpaquePointer) -> Reply {
        // SAFETY: the result lives for the calls; each value has `size` bytes, which are copied.
        let (rows, columns) = unsafe (cpq_rows(result), cpq_columns(result))
        var values: [[UInt8]?] = []
        values.reserveCapacity(Int(rows) * Int(columns))
        for row in 0..<rows {
            for column in 0..<columns {
                var size: Int32 = 0
                let value = unsafe cpq_value(result, row, column, &size)
                values.append(
                    unsafe value.map {
                        unsafe Array(UnsafeBufferPointer(start: $0, count: Int(size)))
                    })
            }
        }
        return unsafe Reply(
            columns: Int(columns), values: values, changed: Int(cpq_changed(result)))
    }

    private func lost() -> DatabaseError {
        // SAFETY: see `init`; the text is copied.
        let message = unsafe String(cString: cpq_error(handle))
        return DatabaseError(
            kind: .lost, message: message.isEmpty ? "the database ended it" : message)
    }

    /// Waits until something arrives, up to `milliseconds`.
    ///
    /// Throws `lost`.
    func wait(_ milliseconds: Int32) throws(DatabaseError) {
        // SAFETY: see `init`.
        if unsafe cpq_wait(handle, milliseconds) < 0 { throw lost() }
    }

    /// The next notification that has arrived; nil if all have been taken.
    func notification() -> String? {
        // SAFETY: the buffer has room for 256 bytes, and is ended with NUL.
        let text = unsafe [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            count = unsafe cpq_notification(handle, buffer.baseAddress, 256) == 0 ? 0 : 256
        }
        if text.isEmpty { return nil }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
