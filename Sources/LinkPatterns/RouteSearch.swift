// The search for one link's routes: candidates are found at once, and matched one by one.

/// The routes of a table that match a link, in the order of registration.
struct RouteSearch: Sendable {
    private let patterns: [LinkPattern]
    private let link: Link
    private let candidates: [Int]
    private var index = 0

    /// Makes a search.
    init(_ table: RouteTable, for link: Link) {
        patterns = table.patterns
        self.link = link
        candidates = table.candidates(for: link)
    }

    /// The next route that matches; nil if there are no more.
    mutating func next() -> (index: Int, parameters: Parameters)? {
        while index < candidates.count {
            let candidate = candidates[index]
            index += 1
            if let parameters = patterns[candidate].match(link) { return (candidate, parameters) }
        }
        return nil
    }
}
