// Values of statements in PostgreSQL's binary form. They never become part of the SQL's text.
//
// A text ends at its first U+0000, which PostgreSQL can't store: the same is true of the index of
// files, so both find the same records.

import ResultStore

/// A parameter of a statement.
struct Parameter: Sendable {
    /// The type's number in PostgreSQL's catalog.
    let type: UInt32
    /// Nil for NULL.
    let bytes: [UInt8]?

    private init(_ type: UInt32, _ bytes: [UInt8]?) {
        self.type = type
        self.bytes = bytes
    }

    static func integer(_ value: Int64) -> Parameter { Parameter(20, big(value)) }
    static func integer(_ value: Int) -> Parameter { integer(Int64(value)) }
    static func number(_ value: Double) -> Parameter { Parameter(701, big(value.bitPattern)) }
    static func flag(_ value: Bool) -> Parameter { Parameter(16, [value ? 1 : 0]) }
    static func text(_ value: String?) -> Parameter { Parameter(25, value.map(octets)) }
    static func id(_ value: RecordID) -> Parameter { Parameter(2950, octets(value)) }

    static func integers(_ values: [Int64?]) -> Parameter {
        Parameter(1016, array(20, values) { $0.map(big) })
    }

    static func integers(_ values: [Int]) -> Parameter {
        Parameter(1016, array(20, values) { big(Int64($0)) })
    }

    static func numbers(_ values: [Double?]) -> Parameter {
        Parameter(1022, array(701, values) { $0.map { big($0.bitPattern) } })
    }

    static func flags(_ values: [Bool?]) -> Parameter {
        Parameter(1000, array(16, values) { $0.map { [$0 ? 1 : 0] } })
    }

    static func texts(_ values: [String?]) -> Parameter {
        Parameter(1009, array(25, values) { $0.map(octets) })
    }

    static func octets(_ values: [[UInt8]]) -> Parameter {
        Parameter(1001, array(17, values) { $0 })
    }

    static func ids(_ values: [RecordID]) -> Parameter {
        Parameter(2951, array(2950, values) { octets($0) })
    }

    private static func octets(_ text: String) -> [UInt8] { Array(text.utf8.prefix { $0 != 0 }) }

    private static func octets(_ id: RecordID) -> [UInt8] { big(id.high) + big(id.low) }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        var shift = value.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// An array with one dimension: its dimensions, whether it has NULLs, the elements' type, its
    /// length and first index, and each element after its size.
    private static func array<Element>(
        _ type: UInt32, _ values: [Element], _ octets: (Element) -> [UInt8]?
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + 12 * values.count)
        append(Int32(values.isEmpty ? 0 : 1), to: &bytes)
        append(Int32(1), to: &bytes)
        append(type, to: &bytes)
        if values.isEmpty { return bytes }
        append(Int32(values.count), to: &bytes)
        append(Int32(1), to: &bytes)
        for value in values {
            guard let element = octets(value) else {
                append(Int32(-1), to: &bytes)
                continue
            }
            append(Int32(truncatingIfNeeded: element.count), to: &bytes)
            bytes += element
        }
        return bytes
    }
}
