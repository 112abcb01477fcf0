// All matching results, oldest first, with bounded memory whatever their number.

/// The stored lines of results in the order of `seq`, part by part.
package struct ResultExport: AsyncSequence, Sendable {
    private let store: ResultStore
    private let condition: Condition

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let store: ResultStore
        private let condition: Condition
        /// Nil before the first part.
        private var query: ResultQuery?
        private var cursor: PageCursor?
        private var isAtEnd = false

        init(store: ResultStore, condition: Condition) {
            self.store = store
            self.condition = condition
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

        /// The query of all parts: results that arrive later are left out, so that an export ends.
        private mutating func begunQuery() async throws(StoreError) -> ResultQuery {
            if let query { return query }
            let last = try await store.storage.newestSequence()
            let until = Condition.compare(.seq, .lessOrEqual, .integer(last))
            let begun = ResultQuery(.all([condition, until]), by: .seq, isDescending: false)
            query = begun
            return begun
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(store: store, condition: condition)
    }

    init(_ store: ResultStore, _ condition: Condition) {
        self.store = store
        self.condition = condition
    }
}

extension ResultStore {
    /// All matching results that are durable when this is called, oldest first.
    package func export(_ condition: Condition) -> ResultExport {
        ResultExport(self, condition)
    }
}
