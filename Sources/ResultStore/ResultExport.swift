// All matching results, oldest first, with bounded memory whatever their number.

import Clocks

/// The stored lines of results in the order of receipt or of `seq`, part by part.
package struct ResultExport: AsyncSequence, Sendable {
    private let store: ResultStore
    private let condition: Condition
    private let key: ResultQuery.Key

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let store: ResultStore
        private let condition: Condition
        private let key: ResultQuery.Key
        /// Nil before the first part.
        private var query: ResultQuery?
        private var cursor: PageCursor?
        private var isAtEnd = false

        fileprivate init(_ export: ResultExport) {
            store = export.store
            condition = export.condition
            key = export.key
        }

        /// The next part of lines; nil at the end.
        ///
        /// Lines with a wrong checksum are in `damage` instead.
        package mutating func next() async throws -> ResultStore.Page? {
            guard let outline = try await nextOutline() else { return nil }
            let (lines, damage) = try await store.lines(of: outline, 0..<outline.count)
            return ResultStore.Page(lines: lines, next: outline.next, damage: damage)
        }

        /// The locations of the next lines; nil at the end.
        package mutating func nextOutline() async throws(StoreError) -> PageOutline? {
            if isAtEnd { return nil }
            let query = try await begunQuery()
            let outline = try await store.outline(
                of: query, after: cursor, limit: ResultStore.pageLimit)
            cursor = outline.next
            isAtEnd = outline.next == nil
            return outline
        }

        /// The query of all parts: results that are received later are left out, so that an export
        /// ends.
        ///
        /// One that is decoded again meanwhile has a higher number then, but keeps its place. That may
        /// be in the future, if a clock was wrong.
        private mutating func begunQuery() async throws(StoreError) -> ResultQuery {
            if let query { return query }
            let last = try await store.storage.newestSequence()
            var until = Condition.compare(.seq, .lessOrEqual, .integer(last))
            if key == .receivedAt {
                let newest = try await store.storage.locations(
                    of: ResultQuery(.everything), after: nil, limit: 1
                ).first.map { Place.moment($0.place) }
                let now = Timestamp.now
                let end = Swift.max(newest ?? now, now)
                until = .any([until, .compare(.receivedAt, .lessOrEqual, .time(end))])
            }
            let begun = ResultQuery(.all([condition, until]), by: key, isDescending: false)
            query = begun
            return begun
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    fileprivate init(_ store: ResultStore, _ condition: Condition, by key: ResultQuery.Key) {
        self.store = store
        self.condition = condition
        self.key = key
    }
}

extension ResultStore {
    /// All matching results that are durable when the first part is read and not erased later, each
    /// once, oldest first.
    ///
    /// - Parameter key: `seq` for a copy that goes on after the last number; then what is decoded
    ///   again meanwhile is left for the next one.
    package func export(
        _ condition: Condition, by key: ResultQuery.Key = .receivedAt
    ) -> ResultExport {
        ResultExport(self, condition, by: key)
    }
}
