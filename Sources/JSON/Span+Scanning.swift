// Searches eight bytes at a time: messages have kilobytes, of which only a dozen bytes are
// separators.
//
// Invariant: each access is within the range that was checked before.

import Text

extension Span<UInt8> {
    /// The first index from `start`, before `end`, of one of two bytes; `end` if there is none.
    @inlinable @inline(__always)
    package func place(of byte: UInt8, or other: UInt8, from start: Int, to end: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while end &- index >= 8 {
            let word = word(at: index)
            // A byte that is searched for becomes 0, and borrows from its own highest bit. The
            // borrow only affects later bytes, and the first one counts.
            let first = word ^ ones &* UInt64(byte)
            let second = word ^ ones &* UInt64(other)
            let found =
                ((first &- ones) & ~first | (second &- ones) & ~second) & (ones &* 0x80)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < end, self[index] != byte, self[index] != other { index &+= 1 }
        return index
    }

    /// Whether all bytes are ASCII.
    package var isASCII: Bool {
        var index = 0
        while count &- index >= 8 {
            if word(at: index) & 0x8080_8080_8080_8080 != 0 { return false }
            index &+= 8
        }
        while index < count, self[index] < 0x80 { index &+= 1 }
        return index == count
    }

    /// The first offset from `start` at which a string's text needs an escape (RFC 8259 §7): a
    /// quotation mark, a backslash or a control character; the end if there is none.
    func endOfUnescaped(from start: Int) -> Int {
        var index = start
        while count &- index >= 8 {
            let found = Self.escapes(in: word(at: index))
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        if index < count, Self.escapes(in: lastWord(from: start)) == 0 { return count }
        while index < count, !Self.mustEscape(self[index]) { index &+= 1 }
        return index
    }

    /// The last eight bytes; for a text of four to seven, all of them, some twice; for a shorter
    /// text, a word that needs an escape.
    @inline(__always)
    private func lastWord(from start: Int) -> UInt64 {
        if count &- start >= 8 { return word(at: count &- 8) }
        if count &- start < 4 { return 0 }
        return UInt64(halfWord(at: start)) | UInt64(halfWord(at: count &- 4)) &<< 32
    }

    /// Four bytes as a little-endian number; there must be four.
    @inline(__always)
    private func halfWord(at start: Int) -> UInt32 {
        // The compiler makes one check and one load of this.
        let bytes = extracting(start..<start &+ 4)
        var word = UInt32(bytes[0])
        word |= UInt32(bytes[1]) &<< 8
        word |= UInt32(bytes[2]) &<< 16
        word |= UInt32(bytes[3]) &<< 24
        return word
    }

    /// The highest bit of the first byte that needs an escape, and possibly of later bytes.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte that is searched for borrows from its own highest bit, and possibly from later
        // bytes.
        let (quotes, backslashes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        return
            ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
    }

    @inline(__always)
    static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
