// Parses bytes to a tape, in one pass, without recursion and without copying text.
//
// Invariant: on return every entry is within the text, `next` is the index after its subtree, and
// children follow their container. An invalid text is analysed only after parsing has failed. Left
// out: values, which are converted on demand.

/// The parser of `JSONDocument`; strict RFC 8259.
struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int

    /// Parses the whole text, in O(its length).
    func parse() throws(JSONFault) -> ContiguousArray<TapeEntry> {
        if bytes.count > Limits.maximumDocumentBytes { throw tooLarge() }
        if let mark = byteOrderMark() { throw mark }
        let text = bytes.span
        // Vendor payloads have one value for every 6 to 16 bytes; a low estimate costs a copy, and a
        // high one memory.
        var tape = Tape(capacity: bytes.count / (bytes.count < 4096 ? 6 : 12) + 4)
        do throws(JSONFault) {
            try read(text, &tape)
        } catch {
            var fault = error
            fault.pointer = tape.pointer(in: bytes)
            throw fault
        }
        return tape.entries
    }

    /// Parses one value and the whitespace around it.
    @inline(__always)
    private func read(_ text: Span<UInt8>, _ tape: inout Tape) throws(JSONFault) {
        var offset = text.endOfWhitespace(from: 0)
        repeat {
            offset = try value(text, at: offset, &tape)
            if tape.depth > 0 { offset = try continueContainers(text, from: offset, &tape) }
        } while tape.depth > 0
        offset = text.endOfWhitespace(from: offset)
        if offset < text.count { throw unexpected(.end, at: offset, tape) }
    }

    /// Parses containers up to the first value that isn't one or is empty, and that value.
    ///
    /// Returns the offset after it.
    @inline(__always)
    private func value(
        _ text: Span<UInt8>, at start: Int, _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        var offset = start
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""): return try string(text, at: offset, as: .string, &tape)
            case UInt8(ascii: "{"):
                if tape.depth >= maximumDepth { throw tooDeep(at: offset) }
                tape.open(.object, at: offset)
                offset = text.endOfWhitespace(from: offset + 1)
                if offset < text.count, text[offset] == UInt8(ascii: "}") {
                    tape.close(before: offset + 1)
                    return offset + 1
                }
                offset = try name(text, at: offset, isFirst: true, &tape)
            case UInt8(ascii: "["):
                if tape.depth >= maximumDepth { throw tooDeep(at: offset) }
                tape.open(.array, at: offset)
                offset = text.endOfWhitespace(from: offset + 1)
                if offset < text.count, text[offset] == UInt8(ascii: "]") {
                    tape.close(before: offset + 1)
                    return offset + 1
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return try number(text, at: offset, &tape)
            case UInt8(ascii: "t"): return try literal("true", text, at: offset, as: .yes, &tape)
            case UInt8(ascii: "f"): return try literal("false", text, at: offset, as: .no, &tape)
            case UInt8(ascii: "n"): return try literal("null", text, at: offset, as: .null, &tape)
            default: throw unexpected(.value, at: offset, tape)
            }
        }
        throw unexpected(.value, at: offset, tape)
    }

    /// Continues after a value: closes containers that end here, and parses up to the next value.
    ///
    /// Returns where that starts, or the end of the root container.
    @inline(__always)
    private func continueContainers(
        _ text: Span<UInt8>, from start: Int, _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        var offset = start
        repeat {
            offset = text.endOfWhitespace(from: offset)
            guard offset < text.count else { throw unexpected(.separator, at: offset, tape) }
            let byte = text[offset]
            if byte == UInt8(ascii: ",") {
                offset = text.endOfWhitespace(from: offset + 1)
                guard tape.isInObject else { return offset }
                return try name(text, at: offset, isFirst: false, &tape)
            }
            guard byte == (tape.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw unexpected(.separator, at: offset, tape)
            }
            offset += 1
            tape.close(before: offset)
        } while tape.depth > 0
        return offset
    }

    /// Parses a member's name and its colon; returns where its value starts.
    @inline(__always)
    private func name(
        _ text: Span<UInt8>, at start: Int, isFirst: Bool, _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: "\"") else {
            throw unexpected(.name(isFirst: isFirst), at: start, tape)
        }
        let end = try string(text, at: start, as: .name, &tape)
        let offset = text.endOfWhitespace(from: end)
        guard offset < text.count, text[offset] == UInt8(ascii: ":") else {
            throw unexpected(.colon, at: offset, tape)
        }
        return text.endOfWhitespace(from: offset + 1)
    }

    /// Whether `byte` is insignificant whitespace (RFC 8259 §2).
    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        // Most bytes aren't whitespace; the first comparison excludes those.
        byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
    }
}
