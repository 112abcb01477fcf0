// The two date formats of Rezolve's apps: `dd/mm/yyyy hh:mm` in the vendor's text,
// `yyyy-MM-ddTHH:mm:ss±zzzz` in its iOS sample (vendor document 4.5). Left out: time zones of the
// first format, which has none.

import Text

/// A date in an answer.
public enum RezolveDate: Sendable, Equatable {
    /// Date and time of RFC 3339; with an offset only if the text has one.
    case date(String)
    /// The format of a date, but not a valid one; with a hint about what may be meant.
    case impossible(hint: String?)
    /// Not a date.
    case none

    /// Parses an answer, in O(length).
    public static func read(_ text: String) -> RezolveDate {
        let bytes = Array(text.utf8)
        let shape = String(
            decoding: bytes.map { $0.isDigit ? UInt8(ascii: "0") : $0 },
            as: UTF8.self)
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        switch shape {
        case "00/00/0000 00:00":
            let (day, month) = (number(0, 2), number(3, 2))
            let (year, hour, minute) = (number(6, 4), number(11, 2), number(14, 2))
            guard isPossible(year, month, day), hour < 24, minute < 60 else {
                let isSwapped = isPossible(year, day, month) && hour < 24 && minute < 60
                return .impossible(
                    hint: isSwapped ? "day and month are swapped: the day comes first" : nil)
            }
            return .date(
                "\(text.dropFirst(6).prefix(4))-\(two(month))-\(two(day))T\(text.suffix(5)):00")
        case "0000-00-00T00:00:00+0000", "0000-00-00T00:00:00-0000", "0000-00-00T00:00:00+00:00",
            "0000-00-00T00:00:00-00:00", "0000-00-00T00:00:00Z":
            guard isPossible(number(0, 4), number(5, 2), number(8, 2)), number(11, 2) < 24,
                number(14, 2) < 60, number(17, 2) < 60, isOffset(bytes.dropFirst(19))
            else { return .impossible(hint: nil) }
            let offset = text.dropFirst(19)
            return .date(
                offset.utf8.count == 5
                    ? "\(text.prefix(19))\(offset.prefix(3)):\(offset.suffix(2))" : text)
        default: return .none
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func isOffset(_ offset: ArraySlice<UInt8>) -> Bool {
        let digits = offset.filter(\.isDigit).map { Int($0) - 0x30 }
        guard digits.count == 4 else { return digits.isEmpty }
        return digits[0] * 10 + digits[1] < 24 && digits[2] < 6
    }

    private static func isPossible(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard 1...12 ~= month, day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }
}
