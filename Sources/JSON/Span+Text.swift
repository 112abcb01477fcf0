// Several bytes at a time, where most bytes are of one sort: text of strings, and indentation.
//
// Invariant: each access is within what was asked for in one check. Left out: bytes one by one.

extension Span<UInt8> {
    /// Whether the bytes from `start` to `end` are those of `text`.
    ///
    /// A loop, since iterators and slices cost more than the comparison of a name.
    package func isText(_ text: String, from start: Int, to end: Int) -> Bool {
        guard text.utf8.count == end - start else { return false }
        var index = start
        for byte in text.utf8 {
            if self[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// The first offset from `start` at which RFC 8259 §2 sees no insignificant whitespace.
    @inline(__always)
    func endOfWhitespace(from start: Int) -> Int {
        // Mostly there is none, and one comparison settles that.
        guard start < count, self[start] <= 0x20 else { return start }
        return endOfLongWhitespace(from: start)
    }

    private func endOfLongWhitespace(from start: Int) -> Int {
        var index = start
        while index < count, JSONParser.isWhitespace(self[index]) {
            index += 1
            // Behind a line break there is indentation.
            while count - index >= 8 {
                let others = word(at: index) ^ 0x2020_2020_2020_2020
                index += others.trailingZeroBitCount &>> 3
                if others != 0 { break }
            }
        }
        return index
    }

    /// The first offset from `start` of a byte that ends a string's plain text: a quotation mark, a
    /// backslash, a control character, or one that isn't ASCII.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while count - index >= 8 {
            let word = word(at: index)
            // Each term sets the highest bit of a byte that it looks for. A borrow can set it
            // wrongly in a byte behind that one only, and the first one counts.
            let quotes = (word ^ ones &* 0x22) &- ones
            let backslashes = (word ^ ones &* 0x5C) &- ones
            let controls = word &- ones &* 0x20
            let found = (word | quotes | backslashes | controls) & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount &>> 3 }
            index += 8
        }
        while index < count, Self.isPlain(self[index]) { index += 1 }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        // Wraps on purpose: one comparison finds both control characters and non-ASCII.
        byte &- 0x20 < 0x60 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
