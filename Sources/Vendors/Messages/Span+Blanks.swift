// Skips white space around pasted or sent text.

extension Span<UInt8> {
    /// The first position from `start` on of a byte that is neither white space nor a control
    /// character.
    func endOfBlanks(from start: Int) -> Int {
        var index = start
        while index < count, self[index] <= 0x20 { index += 1 }
        return index
    }
}
