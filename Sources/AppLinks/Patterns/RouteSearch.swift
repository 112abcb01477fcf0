// The search for one link's routes: ascending lists of candidates, merged as they are read. There are
// as many lists as literals in front of the routes, at most, so that each is looked at every time.

/// The routes of a table that match a link, in the order of registration.
struct RouteSearch: Sendable {
    private let patterns: [LinkPattern]
    private let link: Link
    private var candidates: [ArraySlice<Int>]

    /// A search that hasn't matched anything yet.
    init(_ table: RouteTable, for link: Link) {
        patterns = table.patterns
        self.link = link
        candidates = table.candidates(for: link)
    }

    /// The next route that matches; nil when there are no more.
    mutating func next() -> (index: Int, parameters: Parameters)? {
        while let index = nextCandidate() {
            if let parameters = patterns[index].match(link) { return (index, parameters) }
        }
        return nil
    }

    /// The earliest one of the routes at the heads of the lists.
    private mutating func nextCandidate() -> Int? {
        if candidates.count == 1 { return candidates[0].popFirst() }
        guard let next = candidates.lazy.compactMap(\.first).min() else { return nil }
        for index in candidates.indices where candidates[index].first == next {
            candidates[index].removeFirst()
        }
        return next
    }
}
