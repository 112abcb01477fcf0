// All results that match a query, as lines or as events; pages are read while they are sent.

import Clocks
import ResultStore

/// The parts of a list.
struct ResultLines: AsyncSequence, Sendable {
    fileprivate let api: ResultAPI
    fileprivate let query: ResultQuery
    private let cursor: PageCursor?
    fileprivate let append: @Sendable (StoredLine, inout [UInt8]) -> Void

    /// - Parameter append: appends the text of one result to a part.
    init(
        _ api: ResultAPI, _ query: ResultQuery, after cursor: PageCursor?,
        append: @escaping @Sendable (StoredLine, inout [UInt8]) -> Void
    ) {
        self.api = api
        self.query = query
        self.cursor = cursor
        self.append = append
    }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let all: ResultLines
        fileprivate var cursor: PageCursor?
        private var page: PageLines?
        private var isAtLastPage = false

        fileprivate init(_ all: ResultLines, after cursor: PageCursor?) {
            self.all = all
            self.cursor = cursor
        }

        mutating func next() async throws -> [UInt8]? {
            while true {
                if let lines = try await page?.next() {
                    var text: [UInt8] = []
                    for line in lines {
                        Pause.giveWay()
                        all.append(line, &text)
                    }
                    page?.permit?.finish(holding: text.count)
                    return text
                }
                if isAtLastPage { return nil }
                let (all, cursor) = (all, cursor)
                let outline = try await all.api.ask { () async throws(StoreError) in
                    try await all.api.store.outline(
                        of: all.query, after: cursor, limit: ResultStore.pageLimit)
                }
                self.cursor = outline.next
                isAtLastPage = outline.next == nil
                page = PageLines(all.api, outline)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self, after: cursor)
    }
}
