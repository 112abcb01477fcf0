// A cursor on one value of a document.
//
// Invariant: `index` is an index of `document`'s tape. A node keeps its document alive and is as
// cheap to copy. Left out: editing.

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
    /// The value's index on the document's tape.
    package let index: Int

    var entry: TapeEntry { document.tape[index] }

    /// The tape index of the entry after this value.
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

    /// The value's range in the document's bytes, including quotation marks and brackets.
    public var byteRange: Range<Int> { entry.byteRange }

    /// The value as written, including quotation marks, brackets and inner whitespace.
    public var text: ArraySlice<UInt8> { document.bytes[byteRange] }

    /// The value of the first member called `key`, in O(members); nil if there is none or this
    /// isn't an object.
    public subscript(key: String) -> JSONNode? {
        document.value(of: key, in: index).map { JSONNode(document: document, index: $0) }
    }

    /// The element at `index`, from 0, in O(index); nil if there is none or this isn't an array.
    public subscript(index: Int) -> JSONNode? {
        document.element(index, of: self.index).map { JSONNode(document: document, index: $0) }
    }

    /// The members of an object, lazily, including repeated names; empty for another kind.
    public var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array, lazily; empty for another kind.
    public var elements: JSONElements { JSONElements(of: self) }

    /// The number of members or elements, in O(that number); 0 for a scalar.
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
