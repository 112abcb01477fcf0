// Dot segments in the path of a link (RFC 3986 §5.2.4).

extension Link {
    /// The link with `.` and `..` components resolved (RFC 3986 §5.2.4); components that would lead
    /// above the root are dropped.
    package var withoutDotSegments: Link {
        guard components.contains(where: { $0 == "." || $0 == ".." }) else { return self }
        var resolved: [String] = []
        for component in components {
            switch component {
            case ".": break
            case "..": _ = resolved.popLast()
            default: resolved.append(component)
            }
        }
        return Link(components: resolved, query: query)
    }
}
