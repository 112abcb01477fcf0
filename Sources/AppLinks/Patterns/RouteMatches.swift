// The matching routes of one link, found one at a time: nothing is matched in advance.

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
