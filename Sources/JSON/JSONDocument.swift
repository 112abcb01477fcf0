// A JSON text that has been read: the bytes as they came, and a flat tape of what lies where.
//
// Invariant: a document exists only for a text that is JSON from its first to its last byte.
// Left out: writing, changing, schemas.

/// A JSON text, checked against RFC 8259, whose values are read in place.
///
/// Objects may repeat a name; every member is kept and seen. Numbers and strings stay as written.
public struct JSONDocument: Sendable {
    /// The text, unchanged.
    public let bytes: [UInt8]

    /// The values in document order, for who walks thousands of them: a node costs more than that.
    package let tape: ContiguousArray<TapeEntry>

    /// Reads `bytes` in one pass, in O(length), with 16 bytes of memory for every value and name.
    ///
    /// - Parameters:
    ///   - bytes: one JSON text in UTF-8 without byte order mark.
    ///   - maximumDepth: how many arrays and objects may be open at once.
    /// - Throws: the first `JSONFault` in the text.
    public init(
        parsing bytes: [UInt8], maximumDepth: Int = Limits.maximumDepth
    ) throws(JSONFault) {
        self.tape = try JSONParser(bytes: bytes, maximumDepth: maximumDepth).parse()
        self.bytes = bytes
    }

    /// The outermost value.
    public var root: JSONNode { JSONNode(document: self, index: 0) }

    /// The value or name at `index` of the tape, which must be one of its indices.
    package func node(at index: Int) -> JSONNode { JSONNode(document: self, index: index) }

    /// Where on the tape the value of the first member called `key` stands, in O(members); nil when
    /// there is none or what stands at `object` is no object.
    package func value(of key: String, in object: Int) -> Int? {
        guard case .object = tape[object].tag else { return nil }
        let (tape, text) = (tape.span, bytes.span)
        let (size, end) = (key.utf8.count + 2, Int(tape[object].next))
        var index = object + 1
        while index < end {
            let name = tape[index]
            let (start, stop) = (Int(name.start), Int(name.end))
            if name.hasEscapes {
                if node(at: index).unescaped.elementsEqual(key.utf8) { return index + 1 }
            } else if stop - start == size, text.isText(key, from: start + 1, to: stop - 1) {
                return index + 1
            }
            index = Int(tape[index + 1].next)
        }
        return nil
    }

    /// Where on the tape the element at `position`, from 0, of an array stands, in O(position); nil when
    /// there is none or what stands at `array` is no array.
    package func element(_ position: Int, of array: Int) -> Int? {
        guard case .array = tape[array].tag, position >= 0 else { return nil }
        var (index, remaining) = (array + 1, position)
        while index < Int(tape[array].next) {
            if remaining == 0 { return index }
            index = Int(tape[index].next)
            remaining -= 1
        }
        return nil
    }

    /// The names of all members at any depth, in document order.
    public var names: JSONNames { JSONNames(document: self) }
}
