// All member names of a document, straight off the tape.
//
// Left out: paths. `JSONNode.pointer` says where a name stands.

/// The names of all members of a document at any depth, in document order.
public struct JSONNames: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index = 0

    init(document: JSONDocument) { self.document = document }

    /// The next name as a string node, or nil after the last one.
    public mutating func next() -> JSONNode? {
        while index < document.tape.count {
            defer { index += 1 }
            if document.tape[index].tag == .name {
                return JSONNode(document: document, index: index)
            }
        }
        return nil
    }
}
