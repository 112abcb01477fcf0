// A cursor on one value of a document.
//
// Invariant: `index` is on the tape of `document`. A node keeps its document alive and is as cheap
// to copy. Left out: change; a text is read, never edited.

/// One value, or one member's name, of a `JSONDocument`.
public struct JSONNode: Sendable {
    /// The kinds of JSON values (RFC 8259 §3); a member's name is a string.
    public enum Kind: String, CaseIterable, Sendable {
        /// Members in `{}`.
        case object
        /// Elements in `[]`.
        case array
        /// Text in quotation marks.
        case string
        /// A decimal number.
        case number
        /// `true` or `false`.
        case boolean
        /// `null`.
        case null
    }

    package let document: JSONDocument
    /// Where the value stands on the document's tape.
    package let index: Int

    var entry: TapeEntry { document.tape[index] }

    /// The tape index of what follows this value.
    var next: Int { Int(entry.next) }

    /// The kind of the value.
    public var kind: Kind {
        switch entry.tag {
        case .object: .object
        case .array: .array
        case .name, .string: .string
        case .number: .number
        case .yes, .no: .boolean
        case .null: .null
        }
    }

    /// Where the value stands in the document's bytes; quotation marks and brackets included.
    public var byteRange: Range<Int> { entry.byteRange }

    /// The value as it was written; quotation marks, brackets and inner whitespace included.
    public var text: ArraySlice<UInt8> { document.bytes[byteRange] }

    /// The value of the first member called `key`, in O(members); nil when there is none or this is
    /// not an object.
    public subscript(key: String) -> JSONNode? {
        document.value(of: key, in: index).map { JSONNode(document: document, index: $0) }
    }

    /// The element at `index`, from 0, in O(index); nil when there is none or this is not an array.
    public subscript(index: Int) -> JSONNode? {
        document.element(index, of: self.index).map { JSONNode(document: document, index: $0) }
    }

    /// The members of an object, lazily, repeated names included; none for another kind.
    public var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array, lazily; none for another kind.
    public var elements: JSONElements { JSONElements(of: self) }

    /// How many members or elements there are, in O(that number); 0 for a scalar.
    public var count: Int {
        var count = 0
        var index = index + 1
        let step = kind == .object ? 1 : 0
        while index < next {
            index = Int(document.tape[index + step].next)
            count += 1
        }
        return count
    }
}
