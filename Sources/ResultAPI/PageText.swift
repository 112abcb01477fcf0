// A page of results as text: one JSON object, or lines. A small page is a single part, so that it
// can be sent with its length; the parts of a large one are made while they are sent.

import Clocks
import HTTP1
import JSON
import Problems
import ResultStore

/// The text of a page.
///
/// The handler uses it first, then the connection that sends the rest; both wait for the long work
/// that makes a part.
final class PageText: AsyncSequence, AsyncIteratorProtocol,
    @unchecked Sendable  // SAFETY: one task at a time uses it.
{
    /// Maximum bytes of lines in a part, unless it is a single line.
    private static let partBytes = 1024 * 1024

    /// Bytes of all lines.
    private let bytes: Int
    private let api: ResultAPI
    private let fields: FieldSelection?
    /// The text after the results; nil for lines.
    private let closing: [UInt8]?
    private var pages: PageLines
    private var hasBegun = false
    private var isFirst = true
    private var waiting: [UInt8]?

    /// Whether the last part has been made.
    private var isAtEnd = false

    /// - Parameters:
    ///   - cursor: the value of `next_cursor`; lines have none.
    ///   - total: the number of results of all pages; nil leaves it out.
    init(
        _ api: ResultAPI, _ outline: PageOutline, _ fields: FieldSelection?, asLines: Bool,
        cursor: String?, total: ResultTotal? = nil
    ) {
        self.api = api
        self.fields = fields
        bytes = outline.bytes
        pages = PageLines(api, outline, pieceBytes: Self.partBytes)
        let body = JSONWriter.object { json in
            json.member("next_cursor", cursor)
            guard let total else { return }
            json.object("total") { json in
                json.member("count", total.count)
                json.member("exact", total.isExact)
            }
        }
        closing = asLines ? nil : Array("],".utf8) + body.dropFirst()
    }

    func makeAsyncIterator() -> PageText { self }

    /// The next part; nil at the end.
    func next() async throws -> [UInt8]? {
        if let part = waiting {
            waiting = nil
            return part
        }
        return isAtEnd ? nil : try await part()
    }

    /// The response: with length and entity tag if the page is small, else in parts.
    ///
    /// - Parameter tag: identifies content that isn't made yet; nil omits the entity tag.
    func response(
        _ contentType: String, tag: String?, for request: Request?
    ) async throws(Problem) -> Response {
        let first = try await part()
        var response = Response(.ok, contentType: contentType, body: first)
        response.permit = pages.permit
        response.add("Cache-Control", "no-store")
        response.isCompressible = true
        guard !isAtEnd else {
            if tag != nil { try response.tag(by: first, for: request) }
            return response
        }
        waiting = first
        response.permit = nil
        response.content = .stream(ContentStream(self))
        if let tag { try response.tag(by: Array(tag.utf8), for: request) }
        return response
    }

    /// Makes the next part, beside the loops if the page is large.
    private func part() async throws(Problem) -> [UInt8] {
        try await api.work.run(over: bytes) { () async throws(Problem) in
            try await self.makePart()
        }
    }

    private func makePart() async throws(Problem) -> [UInt8] {
        var text: [UInt8] = []
        if !hasBegun, closing != nil { text += #"{"results":["#.utf8 }
        hasBegun = true
        for line in try await pages.next() ?? [] { append(line, to: &text) }
        isAtEnd = pages.isAtEnd
        if isAtEnd, let closing { text += closing }
        pages.permit?.finish(holding: text.count)
        return text
    }

    private func append(_ line: StoredLine, to text: inout [UInt8]) {
        Pause.giveWay()
        if closing != nil, !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text += fields.apply(to: line.text)
        if closing == nil { text.append(UInt8(ascii: "\n")) }
    }
}
