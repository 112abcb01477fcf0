// All results that match a query, as lines; pages are read while they are sent.

import Clocks
import ResultStore

/// The parts of a list as lines.
package struct ResultLines: AsyncSequence, Sendable {
    fileprivate let api: ResultAPI
    fileprivate let query: ResultQuery
    fileprivate let fields: FieldSelection?
    private let cursor: PageCursor?

    package init(_ api: ResultAPI, _ asked: ResultParameters, after cursor: PageCursor?) {
        self.api = api
        query = asked.query
        fields = asked.fields
        self.cursor = cursor
    }

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let all: ResultLines
        fileprivate var cursor: PageCursor?
        private var page: PageLines?
        private var isAtLastPage = false

        fileprivate init(_ all: ResultLines, after cursor: PageCursor?) {
            self.all = all
            self.cursor = cursor
        }

        package mutating func next() async throws -> [UInt8]? {
            while true {
                if let lines = try await page?.next() {
                    var text: [UInt8] = []
                    for line in lines {
                        Pause.giveWay()
                        text += all.fields.apply(to: line.text)
                        text.append(UInt8(ascii: "\n"))
                    }
                    return text
                }
                if isAtLastPage { return nil }
                let outline = try await all.api.store.outline(
                    of: all.query, after: cursor, limit: ResultStore.pageLimit)
                cursor = outline.next
                isAtLastPage = outline.next == nil
                page = PageLines(all.api, outline)
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self, after: cursor)
    }
}
