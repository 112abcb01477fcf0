// Records as comma-separated values (RFC 4180), for spreadsheets.
//
// Invariant: no cell is read as a formula: text that begins like one gets a leading apostrophe
// (OWASP, "CSV Injection"). Left out: headers and bodies of requests, which don't suit a cell.

import JSON
import ResultStore

/// The rows of a CSV file, lines ended by CR LF.
package struct CSVExport {
    /// The declared fields by name, in column order.
    private let columns: [(name: String, fields: [FieldCatalog.Field])]

    /// - Parameter fields: the vendors' declarations; fields of the same name share a column.
    package init(fields: [FieldCatalog.Field]) {
        var names: [String] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        columns = names.map { name in (name, fields.filter { $0.name == name }) }
    }

    /// The header row.
    package var header: [UInt8] {
        let names = Self.fixedColumns + columns.map { "result." + $0.name } + ["result"]
        return Self.row(names)
    }

    /// The row of a record; nil if it can't be read.
    ///
    /// O(size).
    package func row(of text: [UInt8]) -> [UInt8]? {
        guard let record = ExportedRecord(text) else { return nil }
        let request = record.request
        var cells: [String?] = [
            record.id, String(record.sequence), record.kind, record.receivedAt.description,
            record.inbox, record.vendor, record.contract, record.outcome, record.verdict,
            record.flow,
            request.method, request.scheme, request.host, request.target, request.peer,
            record.diagnosticCodes.joined(separator: " "),
        ]
        for column in columns {
            cells.append(column.fields.lazy.compactMap { record.text(of: $0) }.first)
        }
        cells.append(ExportedRecord.compact(record.result))
        return Self.row(cells)
    }

    private static let fixedColumns = [
        "id", "seq", "kind", "received_at", "inbox", "vendor", "contract", "outcome", "verdict",
        "flow", "method", "scheme", "host", "target", "peer", "diagnostics",
    ]

    private static func row(_ cells: [String?]) -> [UInt8] {
        var row: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { row.append(UInt8(ascii: ",")) }
            append(Array((cell ?? "").utf8), to: &row)
        }
        row += [0x0D, 0x0A]
        return row
    }

    /// Quotes where RFC 4180 §2 rules 6 and 7 require it, and around separators that spreadsheets
    /// use in other locales.
    private static func append(_ cell: [UInt8], to row: inout [UInt8]) {
        let guarded = looksLikeFormula(cell) ? [UInt8(ascii: "'")] + cell : cell
        guard guarded.contains(where: { "\",;\t\r\n".utf8.contains($0) }) else {
            row += guarded
            return
        }
        row.append(UInt8(ascii: "\""))
        for octet in guarded {
            if octet == UInt8(ascii: "\"") { row.append(octet) }
            row.append(octet)
        }
        row.append(UInt8(ascii: "\""))
    }

    /// Whether a spreadsheet might evaluate the cell as a formula.
    private static func looksLikeFormula(_ cell: [UInt8]) -> Bool {
        guard let first = cell.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
        return JSONNumber.scan(cell.span, from: 0, end: cell.count) != .number(end: cell.count)
    }
}
