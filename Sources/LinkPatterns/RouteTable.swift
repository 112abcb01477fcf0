// The patterns of a router in the order of registration, in a tree of the literals and parameters
// that they begin with. Invariants: lists of routes are ascending; every route that can match a
// link is at a node that the link's first components lead to. Left out: the types of parameters,
// which the match checks, and the values. This part isn't generic, so that it is compiled once.

/// Patterns, numbered from 0 in the order of registration.
struct RouteTable: Sendable {
    /// The patterns that begin with the literals and parameters that lead here.
    private struct Node: Sendable {
        /// Child nodes by literal.
        var children: [String: Int] = [:]

        /// The node after a parameter; 0 (the root) for none.
        var parameterChild = 0

        /// Routes for links that end here.
        var ends: [Int] = []

        /// Routes that may continue after this node in ways that the tree doesn't follow.
        var others: [Int] = []
    }

    /// A node, and the rest of a pattern after the elements that lead there.
    private struct Place {
        let node: Int
        let elements: ArraySlice<PathElement>

        /// Whether more elements may follow.
        var hasMore = false
    }

    /// The registered patterns.
    private(set) var patterns: [LinkPattern] = []

    /// The tree; the first node is its root, which always exists.
    private var nodes = [Node()]

    /// Registers `pattern` as the last route.
    ///
    /// - Complexity: O(*n*) in the elements of `pattern`; O(*n*²) if most are alternatives or
    ///   groups.
    mutating func add(_ pattern: LinkPattern) {
        var places: [Place] = [Place(node: 0, elements: pattern.path[...])]
        var count = 0
        while let place = places.popLast() {
            places += follow(place, mayBranch: count < Limits.routePlaces)
            count += 1
        }
        patterns.append(pattern)
    }

    /// Follows the elements at a place as long as there is only one way, and adds the route there
    /// if no elements are left; returns the ways to continue.
    private mutating func follow(_ place: Place, mayBranch: Bool) -> [Place] {
        var node = place.node
        var rest = place.elements
        while let element = rest.popFirst() {
            switch element {
            case .literal(let text):
                node = child(of: node, for: text)
            case .parameter:
                node = parameterChild(of: node)
            case .alternative(let alternative) where mayBranch:
                return alternative.branches.map {
                    Place(node: node, elements: ($0 + rest)[...], hasMore: place.hasMore)
                }
            case .group(let elements) where mayBranch:
                let skipped = Place(node: node, elements: rest, hasMore: place.hasMore)
                // If the link may end within the group, only the group's first element is certain.
                if elements.count > 1, rest.shortestCount == 0 {
                    let first = elements.prefix(1)
                    return [skipped, Place(node: node, elements: first, hasMore: true)]
                }
                let taken = (elements + rest)[...]
                return [skipped, Place(node: node, elements: taken, hasMore: place.hasMore)]
            case .wildcard, .alternative, .group:
                Self.append(patterns.count, to: &nodes[node].others)
                return []
            }
        }
        if place.hasMore {
            Self.append(patterns.count, to: &nodes[node].others)
        } else {
            Self.append(patterns.count, to: &nodes[node].ends)
        }
        return []
    }

    private static func append(_ route: Int, to routes: inout [Int]) {
        if routes.last != route { routes.append(route) }
    }

    private mutating func child(of index: Int, for literal: String) -> Int {
        if let child = nodes[index].children[literal] { return child }
        nodes[index].children[literal] = nodes.count
        nodes.append(Node())
        return nodes.count - 1
    }

    private mutating func parameterChild(of index: Int) -> Int {
        if nodes[index].parameterChild == 0 {
            nodes[index].parameterChild = nodes.count
            nodes.append(Node())
        }
        return nodes[index].parameterChild
    }

    /// The routes that may match `link`, in ascending order.
    ///
    /// - Complexity: O(*n*) in the components of `link` for each way through the tree, by literals
    ///   or by parameters; O(*r* log *r*) for *r* routes.
    func candidates(for link: Link) -> [Int] {
        var routes: [Int] = []
        var isAscending = true
        collect(from: 0, link.components, at: 0, into: &routes, &isAscending)
        if isAscending { return routes }
        routes.sort()
        var unique: [Int] = []
        for route in routes { Self.append(route, to: &unique) }
        return unique
    }

    private func collect(
        from start: Int, _ components: [String], at place: Int, into routes: inout [Int],
        _ isAscending: inout Bool
    ) {
        var node = start
        for index in place..<components.count {
            Self.add(nodes[node].others, to: &routes, &isAscending)
            let afterParameter = nodes[node].parameterChild
            if let child = nodes[node].children[components[index]] {
                if afterParameter > 0 {
                    collect(
                        from: afterParameter, components, at: index + 1, into: &routes, &isAscending
                    )
                }
                node = child
            } else if afterParameter > 0 {
                node = afterParameter
            } else {
                return
            }
        }
        Self.add(nodes[node].others, to: &routes, &isAscending)
        Self.add(nodes[node].ends, to: &routes, &isAscending)
    }

    /// Adds ascending routes; usually they are the only ones, and aren't copied.
    private static func add(
        _ more: [Int], to routes: inout [Int], _ isAscending: inout Bool
    ) {
        guard let first = more.first else { return }
        guard let last = routes.last else {
            routes = more
            return
        }
        isAscending = isAscending && last < first
        routes += more
    }
}
