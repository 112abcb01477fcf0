// Recognises dates with a time, as vendors write them in JSON. Left out: the moment that they mean,
// and the number of days in a month.

import Text

/// A date and time (RFC 3339 §5.6); the offset may be missing, as in a vendor's published item, and
/// a space may replace the T.
struct DateTimeText {
    private let text: ArraySlice<UInt8>
    /// The next byte's place.
    private var index: Int

    private var isAtEnd: Bool { index == text.endIndex }

    /// Whether `text` is a date and time.
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = DateTimeText(text: text, index: text.startIndex)
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
        let start = index
        while !isAtEnd, text[index].isDigit { index += 1 }
        return index > start
    }

    private mutating func takeOffset() -> Bool {
        if take("+") || take("-") {
            guard takeNumber(2, in: 0...23) else { return false }
            if !take(":"), isAtEnd { return true }
            return takeNumber(2, in: 0...59) && isAtEnd
        }
        return isAtEnd || (take("Z") || take("z")) && isAtEnd
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Takes a number of `count` digits if it is in `range`.
    private mutating func takeNumber(_ count: Int, in range: ClosedRange<Int>) -> Bool {
        guard text.endIndex - index >= count else { return false }
        var number = 0
        for _ in 0..<count {
            guard text[index].isDigit else { return false }
            number = number * 10 + Int(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        return range.contains(number)
    }
}
