// Searches several bytes at a time, for long runs of similar bytes: text of strings, and
// indentation.
//
// Invariant: each access is within the range that was checked before. Left out: single bytes.

extension Span<UInt8> {
    /// The first offset from `start` without insignificant whitespace (RFC 8259 §2).
    @inline(__always)
    func endOfWhitespace(from start: Int) -> Int {
        // Usually there is none, and one comparison shows that.
        guard start < count, self[start] <= 0x20 else { return start }
        return endOfLongWhitespace(from: start)
    }

    private func endOfLongWhitespace(from start: Int) -> Int {
        var index = start
        while index < count, JSONParser.isWhitespace(self[index]) {
            index += 1
            // A line break is usually followed by indentation.
            while count - index >= 8 {
                let others = word(at: index) ^ 0x2020_2020_2020_2020
                index += others.trailingZeroBitCount &>> 3
                if others != 0 { break }
            }
        }
        return index
    }

    /// The first offset from `start` of a byte that ends a string's plain text: a quotation mark, a
    /// backslash, a control character, or a non-ASCII byte.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while count &- index >= 8 {
            let word = word(at: index)
            // Each term sets the highest bit of a byte that it searches for. A borrow can set it
            // wrongly only in a later byte, and the first one counts.
            let quotes = (word ^ ones &* 0x22) &- ones
            let backslashes = (word ^ ones &* 0x5C) &- ones
            let controls = word &- ones &* 0x20
            let found = (word | quotes | backslashes | controls) & (ones &* 0x80)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count, Self.isPlain(self[index]) { index &+= 1 }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        // The overflow is intended: one comparison finds both control characters and non-ASCII.
        byte &- 0x20 < 0x60 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
