// Writes JSON text in the order of the calls.
//
// Stored lines have a fixed key order (grep and diff depend on it), and every callback needs a
// response. `JSONEncoder` has no order and costs ten times as much, so neither uses it. A writer that
// notes where values are makes a document without parsing: every decoded callback becomes one. Left
// out: pretty printing, and checking that calls nest; unbalanced calls are a programming error.

import Text

/// An append-only writer of compact JSON text (RFC 8259), in call order, without whitespace.
///
/// The writer adds commas and colons. Every call is amortised O(size of what it writes).
public struct JSONWriter: Sendable {
    /// The UTF-8 text written so far.
    public private(set) var bytes: [UInt8]

    /// Whether the next value or key follows another one in the same array or object.
    private var needsComma = false

    /// The values written so far; nil if they aren't noted, or something was written as raw text.
    private var tape: Tape?

    /// Creates an empty writer with room for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Creates an empty writer with room for `capacity` bytes, whose text becomes a document.
    package init(ofDocument capacity: Int) {
        self.init(reservingCapacity: capacity)
        tape = Tape(capacity: capacity / 12 + 8)
    }

    /// The text as a document; nil if it isn't one complete JSON value.
    ///
    /// O(1) for a writer of documents unless raw text was written; O(size) otherwise.
    ///
    /// - Parameter maximumDepth: maximum nesting, if the text must be parsed.
    package func document(maximumDepth: Int = Limits.maximumDepth) -> JSONDocument? {
        guard let tape else {
            return try? JSONDocument(parsing: bytes, maximumDepth: maximumDepth)
        }
        return tape.depth > 0 || tape.entries.isEmpty
            ? nil : JSONDocument(bytes: bytes, tape: tape.entries)
    }

    /// Opens an object; `endObject()` closes it.
    public mutating func beginObject() { open(UInt8(ascii: "{"), as: .object) }

    /// Closes the object opened last.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array; `endArray()` closes it.
    public mutating func beginArray() { open(UInt8(ascii: "["), as: .array) }

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
        appendQuoted(name.utf8.span, isKey: true)
    }

    /// Writes a member's name given as JSON text, without its quotation marks.
    ///
    /// The name isn't checked; exactly one value must follow.
    public mutating func keyOfJSON(_ name: [UInt8]) {
        separate()
        tape = nil
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: "\":".utf8)
        needsComma = false
    }

    /// Writes a string, or `null` for nil.
    public mutating func value(_ text: String?) {
        guard let text else { return null() }
        appendQuoted(text.utf8.span)
    }

    /// Writes a string from UTF-8 bytes, which the caller has validated.
    public mutating func string(utf8 text: ArraySlice<UInt8>) { appendQuoted(text.span) }

    /// Writes a string from UTF-8 bytes, which the caller has validated.
    public mutating func string(utf8 text: [UInt8]) { appendQuoted(text.span) }

    /// Writes an integer, or `null` for nil.
    public mutating func value(_ number: Int?) {
        guard let number else { return null() }
        separate()
        let start = bytes.count
        bytes.append(decimal: number)
        end(.number, from: start)
    }

    /// Writes the shortest text that reads back as `number`; `null` for nil, NaN and infinities,
    /// which JSON can't express (RFC 8259 §6).
    public mutating func value(_ number: Double?) {
        guard let number, number.isFinite else { return null() }
        literal(number.description, as: .number)
    }

    /// Writes `true` or `false`, or `null` for nil.
    public mutating func value(_ flag: Bool?) {
        guard let flag else { return null() }
        literal(flag ? "true" : "false", as: flag ? .yes : .no)
    }

    /// Writes `null`.
    public mutating func null() { literal("null", as: .null) }

    /// Writes a value of a document, without whitespace between tokens.
    public mutating func value(_ node: JSONNode) { value(at: node.index, of: node.document) }

    /// Writes the value at `index` of a document's tape, without whitespace between tokens.
    package mutating func value(at index: Int, of document: JSONDocument) {
        separate()
        needsComma = true
        let start = bytes.count
        let entry = document.tape[index]
        if entry.tag == .object || entry.tag == .array {
            document.node(at: index).appendCompact(to: &bytes)
        } else {
            bytes.append(copying: document.bytes.span.extracting(entry.byteRange))
        }
        // Without its whitespace, its values are in other places.
        if bytes.count - start != entry.byteRange.count { tape = nil }
        tape?.append(index, of: document.tape, at: start)
    }

    /// Writes one value given as JSON text, which isn't checked.
    public mutating func raw(_ text: [UInt8]) { raw(text.span) }

    /// Writes one value given as JSON text, which isn't checked.
    public mutating func raw(_ text: ArraySlice<UInt8>) { raw(text.span) }

    /// Writes one value given as JSON text, which isn't checked.
    public mutating func raw(_ text: Span<UInt8>) {
        separate()
        tape = nil
        bytes.append(copying: text)
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
        appendEscaped(text.utf8.span)
        appendEscaped(rest.utf8.span)
        bytes.append(UInt8(ascii: "\""))
        let escaped = bytes.count - start - 2
        end(.string, from: start, hasEscapes: escaped > text.utf8.count + rest.utf8.count)
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

    private mutating func open(_ bracket: UInt8, as tag: TapeEntry.Tag) {
        separate()
        tape?.open(tag, at: bytes.count)
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        tape?.close(before: bytes.count)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func literal(_ text: String, as tag: TapeEntry.Tag) {
        separate()
        let start = bytes.count
        bytes.append(text: text)
        end(tag, from: start)
    }

    /// Ends a value that isn't an object or an array.
    private mutating func end(
        _ tag: TapeEntry.Tag, from start: Int, hasEscapes: Bool = false
    ) {
        tape?.append(tag, start..<bytes.count, hasEscapes: hasEscapes)
        needsComma = true
    }

    /// Writes a text in quotation marks, after a comma if needed; after a key a colon too.
    private mutating func appendQuoted(_ text: Span<UInt8>, isKey: Bool = false) {
        let comma = needsComma
        let start = bytes.count + (comma ? 1 : 0)
        needsComma = !isKey
        // Most texts need no escapes, and are written in one step.
        let isPlain = text.endOfUnescaped(from: 0) == text.count
        bytes.append(addingCapacity: text.count + 4) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            guard isPlain else { return }
            output.append(copying: text)
            output.append(UInt8(ascii: "\""))
            if isKey { output.append(UInt8(ascii: ":")) }
        }
        if !isPlain {
            appendEscaped(text)
            bytes.append(UInt8(ascii: "\""))
            if isKey { bytes.append(UInt8(ascii: ":")) }
        }
        let end = bytes.count - (isKey ? 1 : 0)
        tape?.append(isKey ? .name : .string, start..<end, hasEscapes: !isPlain)
    }

    /// Writes a text with the escapes that RFC 8259 §7 requires; runs without are copied in one
    /// piece.
    private mutating func appendEscaped(_ text: Span<UInt8>) {
        var copied = 0
        while true {
            let end = text.endOfUnescaped(from: copied)
            bytes.append(copying: text.extracting(copied..<end))
            if end == text.count { return }
            appendEscape(text[end])
            copied = end + 1
        }
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
