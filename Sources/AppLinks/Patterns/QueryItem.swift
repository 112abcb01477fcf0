// One `name=value` of a query, as it stood on the wire but percent-decoded.

/// A name of a link's query, with its value.
public struct QueryItem: Sendable, Equatable {
    /// What stands before the first `=`; may be empty.
    public var name: String

    /// What stands after the first `=`, possibly nothing; nil when there is no `=`.
    public var value: String?

    /// An item of decoded text.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
