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

        /// Routes that end here, or go on in more ways than are followed.
        var routes: [Int] = []
    }

    /// A node, and what of a pattern comes after the elements that lead there.
    private struct Place {
        let node: Int
        let elements: ArraySlice<PathElement>
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
            let (node, further) = follow(place, mayBranch: count < Limits.routePlaces)
            if further.isEmpty { addRoute(at: node) }
            count += 1
            places += further.map { Place(node: node, elements: $0) }
        }
        patterns.append(pattern)
    }

    /// Follows the elements at a place: to the node after them, and the ways to go on from there,
    /// none where the route stays.
    private mutating func follow(
        _ place: Place, mayBranch: Bool
    ) -> (node: Int, further: [ArraySlice<PathElement>]) {
        var node = place.node
        var rest = place.elements
        while let element = rest.popFirst() {
            switch element {
            case .literal(let text):
                node = child(of: node, for: text)
            case .alternative(let alternative) where mayBranch:
                return (node, alternative.branches.map { ($0 + rest)[...] })
            case .group(let elements) where mayBranch:
                // Where the link may end within the group, only its first element is sure.
                let endsEarly = elements.count > 1 && rest.shortestCount == 0
                return (node, [rest, endsEarly ? elements.prefix(1) : (elements + rest)[...]])
            case .parameter:
                node = parameterChild(of: node)
            case .wildcard, .alternative, .group:
                return (node, [])
            }
        }
        return (node, [])
    }

    private mutating func addRoute(at index: Int) {
        guard nodes[index].routes.last != patterns.count else { return }
        nodes[index].routes.append(patterns.count)
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

    /// The routes that may match `link`, in ascending lists; a route may be in several of them.
    ///
    /// - Complexity: O(*n*) in the components of `link` for each way to take them, as literals or as
    ///   parameters, that patterns go too.
    func candidates(for link: Link) -> [ArraySlice<Int>] {
        var lists: [ArraySlice<Int>] = []
        collect(from: 0, for: link.components[...], into: &lists)
        return lists
    }

    private func collect(
        from start: Int, for components: ArraySlice<String>, into lists: inout [ArraySlice<Int>]
    ) {
        var index = start
        var rest = components
        while true {
            if !nodes[index].routes.isEmpty { lists.append(nodes[index].routes[...]) }
            guard let component = rest.popFirst() else { return }
            let afterParameter = nodes[index].parameterChild
            if let child = nodes[index].children[component] {
                if afterParameter > 0 { collect(from: afterParameter, for: rest, into: &lists) }
                index = child
            } else if afterParameter > 0 {
                index = afterParameter
            } else {
                return
            }
        }
    }
}
