// Values by link pattern. Invariant: `values` has one value for each pattern of `table`. Left out:
// schemes, hosts and handlers; a router only finds.

/// Values by pattern; the first registered pattern that matches a link wins.
///
/// The same pattern may be registered more than once, and every registration is kept (in Deeper's
/// router, the last one replaces the others).
public struct Router<Value: Sendable>: Sendable {
    private var table = RouteTable()
    private var values: [Value] = []

    /// Makes a router without routes.
    public init() {}

    /// Registers `value` under `pattern`, after all registered ones.
    ///
    /// - Complexity: amortised O(*n*) in the elements of `pattern`.
    public mutating func add(_ pattern: LinkPattern, _ value: Value) {
        table.add(pattern)
        values.append(value)
    }

    /// The first registered route that matches `link`; nil if none does.
    ///
    /// - Complexity: that of finding the patterns whose leading literals and parameters, up to
    ///   their first wildcard, match the link's, and of matching these. Routes slow each other down
    ///   only if they begin with a wildcard, or don't differ before one.
    public func match(_ link: Link) -> (value: Value, parameters: Parameters)? {
        var matches = matches(link)
        return matches.next()
    }

    /// The routes that match `link`, in the order of registration, each found on demand.
    ///
    /// A handler that doesn't accept a link passes it on by continuing with the next one (Deeper
    /// README).
    public func matches(_ link: Link) -> RouteMatches<Value> {
        RouteMatches(values, RouteSearch(table, for: link))
    }
}

/// The values of the routes that match a link, in the order of registration.
public struct RouteMatches<Value: Sendable>: Sequence, IteratorProtocol, Sendable {
    private let values: [Value]
    private var search: RouteSearch

    init(_ values: [Value], _ search: RouteSearch) {
        self.values = values
        self.search = search
    }

    /// The next route that matches; nil if there are no more.
    public mutating func next() -> (value: Value, parameters: Parameters)? {
        guard let match = search.next() else { return nil }
        return (values[match.index], match.parameters)
    }
}
