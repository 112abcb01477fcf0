// The search for one link's routes: two ascending lists of candidates, merged as they are read.

/// The routes of a table that match a link, in the order of registration.
struct RouteSearch: Sendable {
    private let patterns: [LinkPattern]
    private let link: Link
    private var indexed: ArraySlice<Int>
    private var fallbacks: ArraySlice<Int>

    /// A search that hasn't matched anything yet.
    init(_ table: RouteTable, for link: Link) {
        patterns = table.patterns
        self.link = link
        (indexed, fallbacks) = table.candidates(for: link)
    }

    /// The next route that matches; nil when there are no more.
    mutating func next() -> (index: Int, parameters: Parameters)? {
        while let index = nextCandidate() {
            if let parameters = patterns[index].match(link) { return (index, parameters) }
        }
        return nil
    }

    /// The earlier one of the routes at the heads of both lists.
    private mutating func nextCandidate() -> Int? {
        guard let head = indexed.first else { return fallbacks.popFirst() }
        if let fallback = fallbacks.first, fallback < head { return fallbacks.popFirst() }
        return indexed.popFirst()
    }
}
