// The state of a database's tables for people: what they lack, making that, and checking a database
// before a server starts.

import ResultStore

/// The tables of a database.
package struct DatabaseSchema: Sendable {
    /// Something that the tables lack.
    package struct Change: Sendable {
        /// What it does, for people.
        package let summary: String
        package let statements: [String]
    }

    private let session: Session
    private let columns: FieldColumns

    package init(_ address: DatabaseAddress, catalog: FieldCatalog) {
        session = Session(address: address)
        columns = FieldColumns(catalog)
    }

    /// What the tables lack, in order; nothing is changed.
    ///
    /// Blocks. Throws `database`, also for tables of a newer program, or if the row of `head` is
    /// gone.
    package func missing() throws(StoreError) -> [Change] {
        try using { (connection) throws(DatabaseError) in
            try columns.ensureComplete()
            let migrations = try connection.missingMigrations()
            let isNew = try connection.schemaState() == .empty
            if !isNew { _ = try connection.run(Head.newest, within: Limits.queryMilliseconds) }
            let added = try isNew ? columns.all : columns.missing(in: connection)
            var changes = migrations.map {
                Change(
                    summary: "version \($0.version): \($0.summary)", statements: $0.statements)
            }
            if !added.isEmpty {
                changes.append(
                    Change(
                        summary: "columns: \(added.map(\.name).joined(separator: ", "))",
                        statements: added.flatMap(\.creation)))
            }
            return changes
        }
    }

    /// The room for locks; nil if it is enough, or if there are no tables.
    ///
    /// Blocks. Throws `database`.
    package func shortLockRoom() throws(StoreError) -> LockRoom? {
        try using { (connection) throws(DatabaseError) in
            let room = LockRoom(
                try connection.run(LockRoom.statement, within: Limits.queryMilliseconds))
            return room.isShort ? room : nil
        }
    }

    /// Makes what the tables lack, one program at a time; returns what it was.
    ///
    /// Blocks. Throws `database`.
    package func migrate() throws(StoreError) -> [Change] {
        let changes = try missing()
        if changes.isEmpty { return [] }
        return try using { (connection) throws(DatabaseError) in
            _ = try connection.migrate(schema: session.address.schema)
            try columns.add(to: connection)
            return changes
        }
    }

    private func using<Value>(
        _ body: (Connection) throws(DatabaseError) -> Value
    ) throws(StoreError) -> Value {
        do throws(DatabaseError) {
            return try body(
                try session.open(statementMilliseconds: Limits.migrationMilliseconds))
        } catch {
            throw StoreError(error)
        }
    }
}
