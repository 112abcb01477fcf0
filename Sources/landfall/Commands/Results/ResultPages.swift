// Combines pages of results: one table, one document, or lines.

import HTTPClient
import JSON
import ResultAPI
import ResultStore
import Text

/// The pages of one list, in order.
struct ResultPages {
    /// Results in one request.
    static let pageResults = ResultStore.pageLimit

    private let form: ResultForm
    private var isFirst = true

    /// Number of results that have come so far.
    private(set) var count = 0

    /// Whether any result has come so far.
    var hasResults: Bool { count > 0 }

    /// The cursor of the next page; nil on the last one.
    private(set) var cursor: String?

    init(_ form: ResultForm) {
        self.form = form
    }

    /// The output for a page.
    ///
    /// Throws if the page can't be read.
    mutating func text(of page: ClientResponse) throws(CommandFailure) -> [UInt8] {
        defer { isFirst = false }
        cursor = page.head["link"].flatMap(Self.cursor)
        switch form {
        case .lines:
            count += Self.lines(in: page.body)
            return page.body
        case .table:
            // Each page repeats the header line.
            let table = fitted(page.body)
            let rows = table.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            count += Self.lines(in: rows)
            if !hasResults { return [] }
            return isFirst ? table : Array(rows)
        case .json:
            guard let results = try? JSONDocument(parsing: page.body).root["results"],
                results.kind == .array
            else { throw CommandFailure("The server's response is not a list of results.") }
            let inner = results.text.dropFirst().dropLast()
            let separator = hasResults && !inner.isEmpty ? [UInt8(ascii: ",")] : []
            count += results.count
            return (isFirst ? Array(#"{"results":["#.utf8) : []) + separator + inner
        }
    }

    private static func lines(in text: some Sequence<UInt8>) -> Int {
        text.count { $0 == UInt8(ascii: "\n") }
    }

    /// A table as wide as the terminal; unchanged for files and other programs.
    private func fitted(_ table: [UInt8]) -> [UInt8] {
        guard let width = Console.columns else { return table }
        let fitted = FittedTable(width: width, style: TerminalStyle())
        return Array(fitted.text(of: String(decoding: table, as: UTF8.self)).utf8)
    }

    /// The output after the last page.
    var end: [UInt8] {
        guard form == .json else { return [] }
        var json = JSONWriter()
        json.value(cursor)
        return Array(#"],"next_cursor":"#.utf8) + json.bytes + Array("}\n".utf8)
    }

    /// The cursor in a Link field (RFC 8288 §3), where it is the last query parameter.
    private static func cursor(in link: String) -> String? {
        let target = link.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
        let query = target.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").last { $0.hasPrefix("cursor=") }
            .map { String($0.dropFirst("cursor=".count)) }
    }
}
