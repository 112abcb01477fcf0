// Bytes to tape, in one pass, without recursion and without copying text.
//
// Invariant: on return every entry lies inside of the text, `next` points past its subtree, and
// children follow their container. Left out: values; nothing is converted before it is asked for.

/// The reader behind `JSONDocument`; strict RFC 8259.
struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    var tape: ContiguousArray<TapeEntry> = []
    var offset = 0

    /// The tape indices of the arrays and objects that are open, outermost first.
    private var open: ContiguousArray<Int> = []

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Reads the whole text, in O(its length).
    mutating func parse() throws(JSONFault) {
        if bytes.count > Limits.maximumDocumentBytes { throw tooLarge() }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw byteOrderMark() }
        // Vendor payloads hold a value for every 8 to 16 bytes; too small a guess only costs a
        // copy.
        tape.reserveCapacity(bytes.count / 12 + 4)
        repeat {
            while try openValue() {}
        } while try advance()
        skipWhitespace()
        if offset < bytes.count {
            throw fault(.trailingBytes, at: offset, expected: "nothing after the value")
        }
    }

    /// Reads a scalar, an empty container, or the opening of a container up to its first value.
    ///
    /// Returns whether a container was opened, so that its first value comes next.
    private mutating func openValue() throws(JSONFault) -> Bool {
        skipWhitespace()
        guard offset < bytes.count else { throw unexpectedEnd(expected: "a value") }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            try openContainer(.object)
            if closeIfEmpty(UInt8(ascii: "}")) { return false }
            try name(orClosing: true)
            return true
        case UInt8(ascii: "["):
            try openContainer(.array)
            return !closeIfEmpty(UInt8(ascii: "]"))
        case UInt8(ascii: "\""): try string(as: .string)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "t"): try literal("true", as: .yes)
        case UInt8(ascii: "f"): try literal("false", as: .no)
        case UInt8(ascii: "n"): try literal("null", as: .null)
        default: throw noValue()
        }
        return false
    }

    /// Goes on after a value: closes what ends here and reads up to the next value.
    ///
    /// Returns whether a value comes next; false when the root is complete.
    private mutating func advance() throws(JSONFault) -> Bool {
        while let container = open.last {
            skipWhitespace()
            let isObject = tape[container].tag == .object
            let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let byte = offset < bytes.count ? bytes[offset] : 0
            if byte == UInt8(ascii: ",") {
                let comma = offset
                offset += 1
                skipWhitespace()
                if offset < bytes.count, bytes[offset] == closing { throw trailingComma(at: comma) }
                if isObject { try name(orClosing: false) }
                return true
            }
            guard byte == closing else {
                throw unexpected(expected: isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
            }
            close()
        }
        return false
    }

    private mutating func openContainer(_ tag: TapeEntry.Tag) throws(JSONFault) {
        if open.count >= maximumDepth { throw tooDeep() }
        open.append(tape.count)
        append(tag, from: offset, to: offset + 1)
        offset += 1
    }

    private mutating func closeIfEmpty(_ closing: UInt8) -> Bool {
        skipWhitespace()
        guard offset < bytes.count, bytes[offset] == closing else { return false }
        close()
        return true
    }

    private mutating func close() {
        offset += 1
        guard let container = open.popLast() else { return }
        tape[container].end = UInt32(truncatingIfNeeded: offset)
        tape[container].next = UInt32(truncatingIfNeeded: tape.count)
    }

    /// Reads a member's name and its colon.
    private mutating func name(orClosing: Bool) throws(JSONFault) {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
            throw noName(orClosing: orClosing)
        }
        try string(as: .name)
        skipWhitespace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else {
            throw unexpected(expected: "\":\" after the member's name")
        }
        offset += 1
    }

    mutating func append(
        _ tag: TapeEntry.Tag, from start: Int, to end: Int, hasEscapes: Bool = false
    ) {
        // Offsets fit: the text is at most `Limits.maximumDocumentBytes` long, and no value is
        // empty.
        tape.append(
            TapeEntry(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: tape.count + 1), tag: tag, hasEscapes: hasEscapes))
    }

    private mutating func skipWhitespace() {
        offset = Self.endOfWhitespace(in: bytes.span, from: offset)
    }

    private static func endOfWhitespace(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count, isWhitespace(text[index]) { index += 1 }
        return index
    }

    /// Whether RFC 8259 §2 counts `byte` as insignificant between tokens.
    static func isWhitespace(_ byte: UInt8) -> Bool {
        // Most bytes that are asked about are none; one comparison settles those.
        byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
    }
}
