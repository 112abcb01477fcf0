// A parsed JSON text: its bytes, and a flat tape of the positions of its values.
//
// Invariant: a document exists only for a text that is valid JSON from its first to its last byte,
// which is parsed, or comes from `JSONWriter`. Left out: writing, editing, schemas.

import Text

/// A JSON text, checked against RFC 8259, whose values are read in place.
///
/// Objects may repeat a name; all members are kept. Numbers and strings stay as written.
public struct JSONDocument: Sendable {
    /// The text, unchanged.
    public let bytes: [UInt8]

    /// The values in document order, for code that walks thousands of them: nodes cost more.
    package let tape: ContiguousArray<TapeEntry>

    /// Takes over a text and its tape, both of which a writer made.
    init(bytes: [UInt8], tape: ContiguousArray<TapeEntry>) {
        (self.bytes, self.tape) = (bytes, tape)
    }

    /// Parses `bytes` in one pass, in O(length), with 16 bytes of memory for every value and name.
    ///
    /// - Parameters:
    ///   - bytes: one JSON text in UTF-8 without byte order mark.
    ///   - maximumDepth: maximum nesting of arrays and objects.
    /// - Throws: the first `JSONFault` in the text.
    public init(
        parsing bytes: [UInt8], maximumDepth: Int = Limits.maximumDepth
    ) throws(JSONFault) {
        self.tape = try JSONParser(bytes: bytes, maximumDepth: maximumDepth).parse()
        self.bytes = bytes
    }

    /// The root value.
    public var root: JSONNode { JSONNode(document: self, index: 0) }

    /// The value or name at `index` of the tape, which must be one of its indices.
    package func node(at index: Int) -> JSONNode { JSONNode(document: self, index: index) }

    /// The tape index of the value of the first member called `key`, in O(members); nil if there is
    /// none, or if the value at `object` isn't an object.
    package func value(of key: String, in object: Int) -> Int? {
        value(of: key.utf8.span, in: object)
    }

    /// The same for a name that is known as bytes, for code that reads the same members again and
    /// again.
    package func value(of key: Span<UInt8>, in object: Int) -> Int? {
        let (tape, bytes) = (tape.span, bytes.span)
        guard case .object = tape[object].tag else { return nil }
        let end = Int(tape[object].next)
        var index = object + 1
        while index < end {
            let name = tape[index]
            // Most names differ in length already.
            if name.hasEscapes {
                let name = unescaped(at: index)
                if name.span.equals(key, from: 0, to: name.count) { return index + 1 }
            } else if bytes.equals(key, from: Int(name.start) + 1, to: Int(name.end) - 1) {
                return index + 1
            }
            index = Int(tape[index + 1].next)
        }
        return nil
    }

    /// The tape index of an array's element at `position`, from 0, in O(position); nil if there is
    /// none, or if the value at `array` isn't an array.
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

    /// The text of the string or name at `index` of the tape as UTF-8; copied only if it contains
    /// escapes.
    package func unescaped(at index: Int) -> ArraySlice<UInt8> {
        let entry = tape[index]
        let range = Int(entry.start) + 1..<max(Int(entry.start) + 1, Int(entry.end) - 1)
        guard entry.hasEscapes else { return bytes[range] }
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(range.count)
        JSONEscapes.unescape(bytes, range: range, to: &unescaped)
        return unescaped[...]
    }

    /// The number at `index` of the tape as the nearest `Double`; nil if it is too large.
    package func double(at index: Int) -> Double? {
        JSONNumber.double(bytes[tape[index].byteRange])
    }
}
