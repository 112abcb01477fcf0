// A page of records as aligned columns, for a terminal.
//
// Invariant: a record is one line without control characters. Left out: the width of the terminal,
// and of characters that take two columns; each counts as one.

import ResultStore
import Text

/// Rows of records under a header line.
package struct ResultTable {
    /// Maximum characters of a summary.
    private static let summaryCharacters = 60

    private let fields: [FieldCatalog.Field]
    private var rows = [
        ["RECEIVED", "ID", "INBOX", "VENDOR", "OUTCOME", "VERDICT", "SUMMARY"]
    ]

    /// - Parameter fields: the vendors' declarations, in the order of a summary.
    package init(fields: [FieldCatalog.Field]) {
        self.fields = fields
    }

    /// Adds a row for a record; false if it can't be read.
    ///
    /// O(size).
    package mutating func add(_ text: [UInt8]) -> Bool {
        guard let record = ExportedRecord(text) else { return false }
        let row = [
            record.receivedAt.description.prefix(19) + "Z", record.id, record.inbox, record.vendor,
            record.outcome ?? "-", record.verdict, summary(of: record),
        ]
        rows.append(row.map { TerminalText.visible(String($0)) })
        return true
    }

    /// The header line and the rows, each with its line end.
    ///
    /// O(rows).
    package var text: String {
        var widths: [Int] = []
        for column in rows[0].indices {
            widths.append(rows.reduce(0) { max($0, $1[column].unicodeScalars.count) })
        }
        var text = ""
        for row in rows {
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.unicodeScalars.count + 2)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            text += line + "\n"
        }
        return text
    }

    /// The declared fields that are present, up to the limit; otherwise the first diagnostic's
    /// code.
    private func summary(of record: ExportedRecord) -> String {
        var summary = ""
        var names: Set<String> = []
        for field in fields where !names.contains(field.name) {
            guard let value = record.text(of: field) else { continue }
            names.insert(field.name)
            let item = (summary.isEmpty ? "" : " ") + field.name + "=" + value
            let room = Self.summaryCharacters - summary.unicodeScalars.count
            if item.unicodeScalars.count <= room {
                summary += item
            } else if summary.isEmpty {
                summary = Self.cut(item)
            }
        }
        return summary.isEmpty ? Self.cut(record.diagnosticCodes.first ?? "") : summary
    }

    private static func cut(_ text: String) -> String {
        guard text.unicodeScalars.count > summaryCharacters else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(summaryCharacters - 3)))
            + "..."
    }
}
