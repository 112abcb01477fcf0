// A name and its value, both as nodes, because the name has a position too.
//
// Left out: the name as `String`; use `name.string`.

/// One member of an object.
public struct JSONMember: Sendable {
    /// The name, as a string node.
    public let name: JSONNode

    /// The value.
    public let value: JSONNode
}
