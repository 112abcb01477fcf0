// Which results a query asks for.

import Clocks

/// Conditions that all must hold; nil asks for nothing.
package struct ResultFilter: Sendable, Equatable {
    package var vendor: String?
    package var inbox: String?
    package var outcome: String?
    package var verdict: String?
    /// Later than this.
    package var receivedAfter: Timestamp?
    /// Earlier than this.
    package var receivedBefore: Timestamp?

    /// Matches everything.
    package init() {}

    /// The conditions as SQL, and the values for its question marks.
    var conditions: (sql: [String], values: [SQLValue]) {
        var sql: [String] = []
        var values: [SQLValue] = []
        for (column, value) in [
            ("vendor", vendor), ("inbox", inbox), ("outcome", outcome), ("verdict", verdict),
        ] {
            guard let value else { continue }
            sql.append("\(column) = ?")
            values.append(.text(value))
        }
        if let receivedAfter {
            sql.append("received_at > ?")
            values.append(.integer(receivedAfter.unixMilliseconds))
        }
        if let receivedBefore {
            sql.append("received_at < ?")
            values.append(.integer(receivedBefore.unixMilliseconds))
        }
        return (sql, values)
    }

    /// A value bound to a query.
    enum SQLValue: Sendable, Equatable {
        case integer(Int64)
        case text(String)
    }

    /// A number that is the same for equal filters only, practically.
    var fingerprint: UInt32 {
        let (sql, values) = conditions
        return Checksum.crc32(Array("\(sql) \(values)".utf8)[...])
    }
}
