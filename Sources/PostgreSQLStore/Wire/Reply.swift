// The rows that a statement returned, in PostgreSQL's binary form.

import ResultStore

/// The result of one statement.
struct Reply: Sendable {
    let columns: Int
    /// The values of all rows, one after another; nil for NULL.
    let values: [[UInt8]?]
    /// Number of rows that the statement changed.
    let changed: Int

    /// Number of rows.
    var count: Int { columns == 0 ? 0 : values.count / columns }

    /// The rows.
    var rows: some Sequence<Row> {
        (0..<count).lazy.map { Row(values: values, start: $0 * columns) }
    }

    /// The first row; nil for a reply without rows.
    var first: Row? { count == 0 ? nil : Row(values: values, start: 0) }

    struct Row: Sendable {
        fileprivate let values: [[UInt8]?]
        fileprivate let start: Int

        func octets(_ column: Int) -> [UInt8]? { values[start + column] }

        func text(_ column: Int) -> String? {
            octets(column).map { String(decoding: $0, as: UTF8.self) }
        }

        /// An integer of two, four or eight bytes, or a flag.
        func integer(_ column: Int) -> Int64? {
            guard let bytes = octets(column), let first = bytes.first else { return nil }
            if bytes.count == 1 { return Int64(first) }
            var value = Int64(Int8(bitPattern: first))
            for byte in bytes.dropFirst() { value = value << 8 | Int64(byte) }
            return value
        }

        func int(_ column: Int) -> Int { integer(column).map { Int($0) } ?? 0 }

        func number(_ column: Int) -> Double? {
            integer(column).map { Double(bitPattern: UInt64(bitPattern: $0)) }
        }

        func id(_ column: Int) -> RecordID? {
            guard let bytes = octets(column), bytes.count == 16 else { return nil }
            func half(_ part: ArraySlice<UInt8>) -> UInt64 {
                part.reduce(0) { $0 << 8 | UInt64($1) }
            }
            return RecordID(high: half(bytes[..<8]), low: half(bytes[8...]))
        }
    }
}
