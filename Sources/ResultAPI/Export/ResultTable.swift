// A page of records as aligned columns, for a terminal.
//
// Invariant: a record is one line without control characters. Left out: the width of the terminal,
// and of characters that take two columns; each counts as one.

import Text

/// Rows of records under a header line.
package struct ResultTable {
    /// Maximum characters of a summary.
    private static let summaryCharacters = 60

    private var rows = [
        ["RECEIVED", "ID", "INBOX", "VENDOR", "OUTCOME", "VERDICT", "SUMMARY"]
    ]

    /// Makes a table without rows.
    package init() {}

    /// Adds a row for a record; false if it can't be read.
    ///
    /// O(size).
    package mutating func add(_ text: [UInt8]) -> Bool {
        guard let record = ExportedRecord(text) else { return false }
        let row = [
            record.receivedAt.description.prefix(19) + "Z", record.id, record.inbox, record.vendor,
            record.outcome ?? "-", record.verdict,
            Self.summary(of: record),
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

    /// The record's summary; otherwise the first diagnostic's code.
    private static func summary(of record: ExportedRecord) -> String {
        let text = record.summary ?? record.diagnosticCodes.first ?? ""
        guard text.unicodeScalars.count > summaryCharacters else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(summaryCharacters - 3)))
            + "..."
    }
}
