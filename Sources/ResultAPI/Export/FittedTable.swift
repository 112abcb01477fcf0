// A table of results on a terminal: as wide as the terminal, with colours for verdicts and outcomes.
//
// Invariant: the id stays whole, because other commands need it. Left out: characters that take two
// columns; each counts as one.

import Text

/// Fits the lines of a `ResultTable` into a width.
package struct FittedTable {
    /// Maximum columns of a line.
    private let width: Int
    private let style: TerminalStyle

    /// Columns that are dropped, in this order, until a line fits.
    private static let dispensable = ["INBOX", "SUMMARY", "VERDICT", "OUTCOME", "VENDOR"]

    /// Columns that a summary needs to be worth showing.
    private static let shortestSummary = 12

    /// Makes a fit for lines of at most `width` columns.
    package init(width: Int, style: TerminalStyle) {
        self.width = width
        self.style = style
    }

    /// The same lines, fitted; a text without a table's header line is returned as it is.
    package func text(of table: String) -> String {
        let lines = table.split(separator: "\n").map { Array($0.unicodeScalars) }
        guard let head = lines.first else { return table }
        let starts = head.indices.filter {
            head[$0] != " " && ($0 == 0 || head[$0 - 1] == " ")
        }
        let names = cells(of: head, starts)
        var kept = Array(names.indices)
        for name in Self.dispensable where needed(kept, starts, names) > width {
            kept.removeAll { names[$0] == name }
        }
        return lines.enumerated().map { number, line in
            let cells = cells(of: line, starts)
            var text = ""
            var columns = 0
            for index in kept {
                let size = index == kept.last ? 0 : columnWidth(index, starts) + 2
                let room = max(width - columns, 0)
                let cell = Self.cut(cells[index], to: room)
                let padding = max(min(size, room) - cell.unicodeScalars.count, 0)
                text += number == 0 ? style.faint(cell) : painted(cell, names[index], cells, names)
                text += index == kept.last ? "" : String(repeating: " ", count: padding)
                columns += max(size, cell.unicodeScalars.count)
            }
            return text
        }.joined(separator: "\n") + "\n"
    }

    /// The columns that a line takes with these cells; the last one can be cut.
    private func needed(_ kept: [Int], _ starts: [Int], _ names: [String]) -> Int {
        kept.reduce(0) { sum, index in
            if names[index] == "SUMMARY" { return sum + Self.shortestSummary }
            return sum + columnWidth(index, starts) + (index == kept.last ? 0 : 2)
        }
    }

    /// The columns between this cell and the next one's gap.
    private func columnWidth(_ index: Int, _ starts: [Int]) -> Int {
        index + 1 < starts.count ? starts[index + 1] - starts[index] - 2 : Self.shortestSummary
    }

    private func cells(of line: [Unicode.Scalar], _ starts: [Int]) -> [String] {
        starts.indices.map { index in
            let start = min(starts[index], line.count)
            let end = index + 1 < starts.count ? min(starts[index + 1], line.count) : line.count
            var cell = line[start..<max(start, end)]
            while cell.last == " " { cell.removeLast() }
            return String(String.UnicodeScalarView(cell))
        }
    }

    private static func cut(_ text: String, to columns: Int) -> String {
        guard text.unicodeScalars.count > columns else { return text }
        if columns < 1 { return "" }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(columns - 1))) + "…"
    }

    private func painted(
        _ cell: String, _ name: String, _ cells: [String], _ names: [String]
    ) -> String {
        switch name {
        case "RECEIVED", "ID": return style.faint(cell)
        case "VERDICT": return painted(cell, byVerdict: cell)
        case "OUTCOME":
            let verdict = zip(names, cells).first { $0.0 == "VERDICT" }?.1 ?? ""
            return cell == "completed" ? painted(cell, byVerdict: verdict) : style.warning(cell)
        default: return cell
        }
    }

    private func painted(_ cell: String, byVerdict verdict: String) -> String {
        switch verdict {
        case "decoded": style.good(cell)
        case "undecodable": style.bad(cell)
        default: style.warning(cell)
        }
    }
}
