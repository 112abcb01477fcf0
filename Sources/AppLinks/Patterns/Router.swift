// Values under link patterns. Invariant: `values` has one value for each pattern of `table`.
// Left out: schemes, hosts and what a handler answers; a router only finds.

/// Values under patterns; the first registered pattern that matches a link wins.
///
/// The same pattern may be registered more than once: every registration is kept (Deeper's
/// router lets the last one replace the others).
public struct Router<Value: Sendable>: Sendable {
    private var table = RouteTable()
    private var values: [Value] = []

    /// A router without routes.
    public init() {}

    /// Registers `value` under `pattern`, after all that is already registered.
    ///
    /// - Complexity: amortised O(*n*) in the elements of `pattern`.
    public mutating func add(_ pattern: LinkPattern, _ value: Value) {
        table.add(pattern)
        values.append(value)
    }

    /// The first registered route that matches `link`; nil when none does.
    ///
    /// - Complexity: that of finding the patterns whose literals and parameters in front, up to their
    ///   first wildcard, are like the link's, and of matching these. Only routes that begin with a
    ///   wildcard, or differ from others not before one, make each other slower.
    public func match(_ link: Link) -> (value: Value, parameters: Parameters)? {
        var matches = matches(link)
        return matches.next()
    }

    /// The routes that match `link`, in the order of registration, each found when it is asked for.
    ///
    /// A handler that doesn't want a link passes it on by going to the next of them (Deeper
    /// README).
    public func matches(_ link: Link) -> RouteMatches<Value> {
        RouteMatches(values, RouteSearch(table, for: link))
    }
}
