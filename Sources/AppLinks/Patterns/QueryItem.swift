// One `name=value` of a query, percent-decoded but otherwise unchanged.

/// A name in a link's query, with its value.
public struct QueryItem: Sendable, Equatable {
    /// The text before the first `=`; may be empty.
    public var name: String

    /// The text after the first `=`, possibly empty; nil if there is no `=`.
    public var value: String?

    /// Makes an item of decoded text.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
