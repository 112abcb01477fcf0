// All results that a question matches, as lines, page by page while they are sent.

import ResultStore

/// The parts of a list as lines.
struct ResultLines: AsyncSequence, Sendable {
    private let api: ResultAPI
    private let query: ResultQuery
    private let fields: FieldSelection?
    private let cursor: PageCursor?

    init(_ api: ResultAPI, _ asked: ResultParameters, after cursor: PageCursor?) {
        self.api = api
        query = asked.query
        fields = asked.fields
        self.cursor = cursor
    }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let lines: ResultLines
        var cursor: PageCursor?
        var isAtEnd = false

        mutating func next() async throws -> [UInt8]? {
            if isAtEnd { return nil }
            let page = try await lines.api.store.page(
                of: lines.query, after: cursor, limit: ResultStore.pageLimit)
            lines.api.report(page.damage)
            cursor = page.next
            isAtEnd = page.next == nil
            return page.lines.flatMap {
                lines.fields.apply(to: $0.text) + [UInt8(ascii: "\n")]
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: self, cursor: cursor)
    }
}
