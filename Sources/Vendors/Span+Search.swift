// Looking for a rare byte in a text, eight bytes at a time: messages are kilobytes of which a dozen
// bytes separate anything.

import PositionedJSON

extension Span<UInt8> {
    /// The first place from `start` on, before `end`, of one of two bytes; `end` without any.
    @inline(__always)
    func place(of byte: UInt8, or other: UInt8, from start: Int, to end: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while end - index >= 8 {
            let word = word(at: index)
            // A byte that is looked for becomes 0, and borrows from its own highest bit. A borrow can
            // go on to a byte behind it only, and the first one counts.
            let first = word ^ ones &* UInt64(byte)
            let second = word ^ ones &* UInt64(other)
            let found =
                ((first &- ones) & ~first | (second &- ones) & ~second) & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount &>> 3 }
            index += 8
        }
        while index < end, self[index] != byte, self[index] != other { index += 1 }
        return index
    }

    /// The first place from `start` on of a byte that is neither white space nor a control character.
    func endOfBlanks(from start: Int) -> Int {
        var index = start
        while index < count, self[index] <= 0x20 { index += 1 }
        return index
    }
}
