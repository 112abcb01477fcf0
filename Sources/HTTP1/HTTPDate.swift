// IMF-fixdate of RFC 9110 §5.6.7, written and parsed without a calendar library, because every
// response needs it. The two obsolete formats are parsed too.

import Clocks
import Text

/// A time in HTTP, with a resolution of one second.
package struct HTTPDate: Sendable, Equatable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let unixSeconds: Int64

    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.unixSeconds < right.unixSeconds
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Appends `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// O(1); for years 0 to 9999.
    package func append(to output: inout [UInt8]) {
        let time = CivilTime(unixSeconds: unixSeconds)
        output.append(contentsOf: Self.weekdays[time.weekday - 1].utf8)
        output.append(contentsOf: ", ".utf8)
        Self.append(time.day, to: &output)
        output.append(0x20)
        output.append(contentsOf: Self.months[time.month - 1].utf8)
        output.append(0x20)
        Self.append(time.year / 100, to: &output)
        Self.append(time.year % 100, to: &output)
        for (separator, number) in [
            (UInt8(ascii: " "), time.hour), (UInt8(ascii: ":"), time.minute),
            (UInt8(ascii: ":"), time.second),
        ] {
            output.append(separator)
            Self.append(number, to: &output)
        }
        output.append(contentsOf: " GMT".utf8)
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        output.append(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
        output.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    /// Parses IMF-fixdate, RFC 850's format or asctime's; nil for anything else.
    ///
    /// - Parameter now: decides the century of a two-digit year (RFC 9110 §5.6.7: no more than 50
    ///   years in the future).
    package init?(_ text: some Sequence<UInt8>, now: HTTPDate) {
        let words = String(decoding: Array(text), as: UTF8.self)
            .split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
        guard let weekday = words.first, Self.isWeekday(weekday) else { return nil }
        // asctime: weekday month day time year; the others: weekday day month year time zone.
        let isAsctime = words.count == 5
        guard isAsctime || words.count == 6 && words[5] == "GMT",
            let day = Self.number(words[isAsctime ? 2 : 1], digits: isAsctime ? 1...2 : 2...2),
            let month = Self.months.firstIndex(of: String(words[isAsctime ? 1 : 2])),
            var year = Self.number(words[isAsctime ? 4 : 3], digits: isAsctime ? 4...4 : 2...4),
            words[isAsctime ? 4 : 3].utf8.count != 3,
            var time = Self.timeOfDay(words[isAsctime ? 3 : 4])
        else { return nil }
        if words[isAsctime ? 4 : 3].utf8.count == 2 {
            let current = CivilTime(unixSeconds: now.unixSeconds).year
            year += current / 100 * 100
            if year > current + 50 { year -= 100 }
        }
        time.year = year
        time.month = month + 1
        time.day = day
        guard let seconds = time.unixSeconds else { return nil }
        unixSeconds = seconds
    }

    private static func isWeekday(_ word: Substring) -> Bool {
        weekdays.contains { word.hasPrefix($0) && (word == $0 || word.hasSuffix("day")) }
    }

    private static func number(_ word: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(word.utf8.count), word.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(word)
    }

    private static func timeOfDay(_ word: Substring) -> CivilTime? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2...2),
            let minute = number(parts[1], digits: 2...2),
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        // A leap second has no Unix time of its own.
        return CivilTime(
            year: 0, month: 1, day: 1, hour: hour, minute: minute, second: min(second, 59))
    }
}

extension HTTPDate: CustomStringConvertible {
    /// IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
