// The patterns of a router in the order of their registration, in a tree of the literals and parameters
// that they begin with. Invariants: lists of routes are ascending; every route that can match a link
// is at a node that the link's first components lead to. Left out: types of parameters, which are
// left to the match, and the values. This part isn't generic, so that it is compiled once and as it is.

/// Patterns, numbered from 0 in the order of their registration.
struct RouteTable: Sendable {
    /// What may begin with the literals and parameters that lead here.
    private struct Node: Sendable {
        /// Nodes by the next literal.
        var children: [String: Int] = [:]

        /// The node after a parameter; 0, which is the root, for none.
        var parameterChild = 0

        /// Routes for links that end here.
        var ends: [Int] = []

        /// Routes that go on in more ways than are followed, for links that get here.
        var others: [Int] = []
    }

    /// A node, and what of a pattern comes after the elements that lead there.
    private struct Place {
        let node: Int
        let elements: ArraySlice<PathElement>

        /// Whether more may follow these.
        var goesOn = false
    }

    /// The registered patterns.
    private(set) var patterns: [LinkPattern] = []

    /// The tree; its root is the first, and always there.
    private var nodes = [Node()]

    /// Registers `pattern` as the last route.
    ///
    /// - Complexity: O(*n*) in the elements of `pattern`; O(*n*²) when most are alternatives or groups.
    mutating func add(_ pattern: LinkPattern) {
        var places: [Place] = [Place(node: 0, elements: pattern.path[...])]
        var count = 0
        while let place = places.popLast() {
            places += follow(place, mayBranch: count < Limits.routePlaces)
            count += 1
        }
        patterns.append(pattern)
    }

    /// Follows the elements at a place as far as there is one way, and puts the route there if none
    /// is left; returns the ways to go on.
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
                    Place(node: node, elements: ($0 + rest)[...], goesOn: place.goesOn)
                }
            case .group(let elements) where mayBranch:
                let skipped = Place(node: node, elements: rest, goesOn: place.goesOn)
                // Where the link may end within the group, only its first element is sure.
                if elements.count > 1, rest.shortestCount == 0 {
                    return [skipped, Place(node: node, elements: elements.prefix(1), goesOn: true)]
                }
                let taken = (elements + rest)[...]
                return [skipped, Place(node: node, elements: taken, goesOn: place.goesOn)]
            case .wildcard, .alternative, .group:
                Self.append(patterns.count, to: &nodes[node].others)
                return []
            }
        }
        if place.goesOn {
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
    /// - Complexity: O(*n*) in the components of `link` for each way to take them, as literals or as
    ///   parameters, that patterns go too; O(*r* log *r*) for *r* routes.
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

    /// Adds ascending routes; mostly they are the only ones, and aren't copied.
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
