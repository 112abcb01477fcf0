// All member names of a document, read directly from the tape.
//
// Left out: paths; see `JSONNode.pointer`.

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
