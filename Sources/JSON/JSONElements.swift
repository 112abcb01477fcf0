// The elements of an array, read from the tape one by one. Left out: access by index in O(1); the
// tape has no table of elements.

/// The elements of an array in the order of the text; empty for another kind of value.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of node: JSONNode) {
        document = node.document
        index = node.index + 1
        end = node.kind == .array ? node.next : 0
    }

    /// The next element, in O(1), or nil after the last one.
    public mutating func next() -> JSONNode? {
        guard index < end else { return nil }
        let element = JSONNode(document: document, index: index)
        index = element.next
        return element
    }
}
