// The patterns of a router in the order of their registration, found by the first component of a
// link. Invariant: both kinds of list are ascending, and every route is in `fallbacks` or under
// each first component that it can begin with. Left out: the values. This part isn't generic, so
// that it is compiled once and as it is.

/// Patterns, numbered from 0 in the order of their registration.
struct RouteTable: Sendable {
    /// The registered patterns.
    private(set) var patterns: [LinkPattern] = []

    /// Routes of patterns that begin with literals, by each of these.
    private var indices: [String: [Int]] = [:]

    /// Routes of the other patterns.
    private var fallbacks: [Int] = []

    /// Registers `pattern` as the last route.
    mutating func add(_ pattern: LinkPattern) {
        if let literals = pattern.path.firstLiterals {
            for literal in literals { indices[literal, default: []].append(patterns.count) }
        } else {
            fallbacks.append(patterns.count)
        }
        patterns.append(pattern)
    }

    /// The routes that may match `link`, in two ascending lists.
    func candidates(for link: Link) -> (indexed: ArraySlice<Int>, fallbacks: ArraySlice<Int>) {
        let indexed = link.components.first.flatMap { indices[$0] } ?? []
        return (indexed[...], fallbacks[...])
    }
}

extension [PathElement] {
    /// The components that a matching path can begin with; nil when they aren't all literals.
    fileprivate var firstLiterals: Set<String>? {
        switch first {
        case .literal(let text):
            return [text]
        case .alternative(let alternative):
            var literals: Set<String> = []
            for branch in alternative.branches {
                guard let ofBranch = branch.firstLiterals else { return nil }
                literals.formUnion(ofBranch)
            }
            return literals
        case .parameter, .wildcard, .group, nil:
            return nil
        }
    }
}
