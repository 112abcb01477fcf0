// The members of an object, read from the tape one by one.
//
// Invariant: repeated names are returned as often as they were written.

/// One member of an object.
public struct JSONMember: Sendable {
    /// The name, as a string node.
    public let name: JSONNode

    /// The value.
    public let value: JSONNode
}

/// The members of an object in the order of the text; empty for another kind of value.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of node: JSONNode) {
        document = node.document
        index = node.index + 1
        end = node.kind == .object ? node.next : 0
    }

    /// The next member, in O(1), or nil after the last one.
    public mutating func next() -> JSONMember? {
        guard index < end else { return nil }
        let name = JSONNode(document: document, index: index)
        let value = JSONNode(document: document, index: index + 1)
        index = value.next
        return JSONMember(name: name, value: value)
    }
}
