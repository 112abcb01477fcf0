// Recognises dates with a time, as vendors write them in JSON. Left out: the moment that they mean,
// and the number of days in a month.

/// A date and time (RFC 3339 §5.6); the offset may be missing, as in a vendor's published item, and
/// a space may replace the T.
struct DateTimeText {
    private var rest: ArraySlice<UInt8>

    /// Whether `text` is a date and time.
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = DateTimeText(rest: text)
        return reader.takeDate() && reader.takeTime() && reader.takeOffset()
    }

    private mutating func takeDate() -> Bool {
        takeNumber(4, in: 0...9999) && take("-") && takeNumber(2, in: 1...12) && take("-")
            && takeNumber(2, in: 1...31)
    }

    private mutating func takeTime() -> Bool {
        guard take("T") || take("t") || take(" "), takeNumber(2, in: 0...23), take(":"),
            takeNumber(2, in: 0...59)
        else { return false }
        guard take(":") else { return true }
        // A leap second is the sixtieth.
        guard takeNumber(2, in: 0...60) else { return false }
        guard take(".") else { return true }
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private mutating func takeOffset() -> Bool {
        if take("+") || take("-") {
            guard takeNumber(2, in: 0...23) else { return false }
            _ = take(":")
            return rest.isEmpty || takeNumber(2, in: 0...59) && rest.isEmpty
        }
        return rest.isEmpty || (take("Z") || take("z")) && rest.isEmpty
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes a number of `count` digits if it is in `range`.
    private mutating func takeNumber(_ count: Int, in range: ClosedRange<Int>) -> Bool {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        rest = rest.dropFirst(count)
        return range.contains(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
}
