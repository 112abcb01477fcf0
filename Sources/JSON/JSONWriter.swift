// Writes JSON text in the order of the calls.
//
// Stored lines have a fixed key order (grep and diff depend on it), and every callback needs a
// response. `JSONEncoder` has no order and costs ten times as much, so neither uses it. Left out:
// pretty printing, and checking that calls nest; unbalanced calls are a programming error.

import Text

/// An append-only writer of compact JSON text (RFC 8259), in call order, without whitespace.
///
/// The writer adds commas and colons. Every call is amortised O(size of what it writes).
public struct JSONWriter: Sendable {
    /// The UTF-8 text written so far.
    public private(set) var bytes: [UInt8]

    /// Whether the next value or key follows another one in the same array or object.
    private var needsComma = false

    /// Creates an empty writer with room for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object; `endObject()` closes it.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the object opened last.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array; `endArray()` closes it.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the array opened last.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes an object with the members that `members` writes.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes an array with the elements that `elements` writes.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        beginArray()
        elements(&self)
        endArray()
    }

    /// Writes a member's name; exactly one value must follow.
    public mutating func key(_ name: String) {
        if name.utf8.count > Self.shortBytes || !appendShort(name, isKey: true) {
            separate()
            appendQuoted(name)
            bytes.append(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// Writes a member's name given as JSON text, without its quotation marks.
    ///
    /// The name isn't checked; exactly one value must follow.
    public mutating func keyOfJSON(_ name: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: "\":".utf8)
        needsComma = false
    }

    /// Writes a string, or `null` for nil.
    public mutating func value(_ text: String?) {
        guard let text else { return null() }
        if text.utf8.count > Self.shortBytes || !appendShort(text, isKey: false) {
            separate()
            appendQuoted(text)
        }
        needsComma = true
    }

    /// Writes a string from UTF-8 bytes, which the caller has validated.
    public mutating func string(utf8 text: ArraySlice<UInt8>) {
        separate()
        appendQuoted(text)
        needsComma = true
    }

    /// Writes a string from UTF-8 bytes, which the caller has validated.
    public mutating func string(utf8 text: [UInt8]) {
        string(utf8: text[...])
    }

    /// Writes an integer, or `null` for nil.
    public mutating func value(_ number: Int?) {
        guard let number else { return null() }
        literal(String(number))
    }

    /// Writes the shortest text that reads back as `number`; `null` for nil, NaN and infinities,
    /// which JSON can't express (RFC 8259 §6).
    public mutating func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        literal(number.description)
    }

    /// Writes `true` or `false`, or `null` for nil.
    public mutating func value(_ flag: Bool?) {
        guard let flag else { return null() }
        literal(flag ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() { literal("null") }

    /// Writes one value given as JSON text, which isn't checked.
    public mutating func raw(_ text: [UInt8]) {
        raw(text[...])
    }

    /// Writes one value given as JSON text, which isn't checked.
    public mutating func raw(_ text: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    /// Writes a member whose value is a string or `null`.
    public mutating func member(_ name: String, _ text: String?) {
        key(name)
        value(text)
    }

    /// Writes a member whose value is a string of two texts.
    public mutating func member(_ name: String, joining text: String, _ rest: String) {
        key(name)
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        bytes.append(short: text)
        bytes.append(short: rest)
        closeQuoted(from: start) { Array(text.utf8) + rest.utf8 }
        needsComma = true
    }

    /// Writes a member whose value is an integer or `null`.
    public mutating func member(_ name: String, _ number: Int?) {
        key(name)
        value(number)
    }

    /// Writes a member whose value is a number or `null`.
    public mutating func member(_ name: String, _ number: Double?) {
        key(name)
        value(number)
    }

    /// Writes a member whose value is `true`, `false` or `null`.
    public mutating func member(_ name: String, _ flag: Bool?) {
        key(name)
        value(flag)
    }

    /// Writes a member whose value is given as JSON text, which isn't checked.
    public mutating func member(_ name: String, raw text: [UInt8]) {
        member(name, raw: text[...])
    }

    /// Writes a member whose value is given as JSON text, which isn't checked.
    public mutating func member(_ name: String, raw text: ArraySlice<UInt8>) {
        key(name)
        raw(text)
    }

    /// Writes a member whose value is an array of strings.
    public mutating func member(_ name: String, _ texts: some Sequence<String>) {
        array(name) { json in for text in texts { json.value(text) } }
    }

    /// Writes a member whose value is an object with the members that `members` writes.
    public mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes a member whose value is an array with the elements that `elements` writes.
    public mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
        key(name)
        array(elements)
    }

    /// Writes a member whose value is an array of objects, one for each of `items`, with the members
    /// that `members` writes.
    public mutating func objects<Item>(
        _ name: String, of items: some Sequence<Item>,
        _ members: (inout JSONWriter, Item) -> Void
    ) {
        array(name) { json in
            for item in items { json.object { members(&$0, item) } }
        }
    }

    /// The text of an object with the members that `members` writes.
    public static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(members)
        return json.bytes
    }

    /// The same text as a string.
    public static func text(_ members: (inout JSONWriter) -> Void) -> String {
        String(decoding: object(members), as: UTF8.self)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(short: text)
        needsComma = true
    }

    /// Maximum bytes of a text that is written byte by byte.
    private static var shortBytes: Int { 24 }

    /// Writes a comma if needed, a short text, and a colon after a key, in one step; writes nothing
    /// and returns false if the text needs escapes.
    @inline(__always)
    private mutating func appendShort(_ text: String, isKey: Bool) -> Bool {
        let text = text.utf8.span
        let start = bytes.count
        let comma = needsComma
        var needsEscapes = false
        bytes.append(addingCapacity: text.count + 4) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            for index in text.indices {
                let byte = text[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    needsEscapes = true
                    return
                }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
            if isKey { output.append(UInt8(ascii: ":")) }
        }
        if needsEscapes { bytes.removeLast(bytes.count - start) }
        return !needsEscapes
    }

    /// Quotes `text`; most texts need no escapes, so it is copied before it is checked.
    ///
    /// In the array, eight bytes are checked at once; a string gives only one after the other.
    private mutating func appendQuoted(_ text: String) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        closeQuoted(from: start) { Array(text.utf8) }
    }

    /// Ends a string that was copied from `start` on; writes it again if it needs escapes.
    @inline(__always)
    private mutating func closeQuoted(from start: Int, _ text: () -> [UInt8]) {
        if bytes.span.endOfUnescaped(from: start + 1) < bytes.count {
            bytes.removeLast(bytes.count - start)
            return appendQuoted(text()[...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Quotes `text`, escaping what RFC 8259 §7 requires; runs without escapes are copied in one
    /// piece.
    private mutating func appendQuoted(_ text: ArraySlice<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        let octets = text.span
        var copied = 0
        while true {
            let end = octets.endOfUnescaped(from: copied)
            bytes.append(contentsOf: text[(text.startIndex + copied)..<(text.startIndex + end)])
            if end == octets.count { break }
            appendEscape(octets[end])
            copied = end + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Hexadecimal.digit(byte >> 4))
            bytes.append(Hexadecimal.digit(byte & 0xF))
        }
    }
}
