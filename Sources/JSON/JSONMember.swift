// A name and its value, both as nodes: the name has a place in the text too.
//
// Left out: the name as `String`; ask `name.string`.

/// One member of an object.
public struct JSONMember: Sendable {
    /// The name, as a string node.
    public let name: JSONNode

    /// The value.
    public let value: JSONNode
}
