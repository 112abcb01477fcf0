// Times in records and in the API: RFC 3339 in UTC with milliseconds.

/// A time with a resolution of one millisecond.
package struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let unixMilliseconds: Int64

    /// The years 0000 to 9999, which have four digits, in milliseconds.
    private static let writable: Range<Int64> = -62_167_219_200_000..<253_402_300_800_000

    package init(unixMilliseconds: Int64) {
        self.unixMilliseconds = unixMilliseconds
    }

    /// The current time of the system.
    package static var now: Timestamp { Timestamp(unixMilliseconds: Clock.unixMilliseconds) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.unixMilliseconds < right.unixMilliseconds
    }

    /// Parses RFC 3339 §5.6, with any offset and any number of fractional digits (those after the
    /// third are dropped).
    ///
    /// `T` and `Z` may be lowercase. Nil for anything else, such as a date alone or an invalid day.
    package init?(_ text: some Collection<UInt8>) {
        let octets = Array(text)
        var rest = octets[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            let digits = rest.prefix(count)
            guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            rest.removeFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func skip(_ allowed: String) -> Bool {
            guard let first = rest.first, allowed.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
            let day = digits(2), skip("Tt"), let hour = digits(2), skip(":"),
            let minute = digits(2), skip(":"), let second = digits(2),
            let seconds = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute,
                second: min(second, 59)
            ).unixSeconds, second <= 60
        else { return nil }
        var milliseconds = seconds * 1000
        if skip(".") {
            let fraction = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard !fraction.isEmpty else { return nil }
            rest.removeFirst(fraction.count)
            for (digit, weight) in zip(fraction, [100, 10, 1]) {
                milliseconds += Int64(Int(digit - 0x30) * weight)
            }
        }
        if !skip("Zz") {
            let isWest = rest.first == UInt8(ascii: "-")
            guard skip("+-"), let hours = digits(2), skip(":"), let minutes = digits(2),
                hours < 24, minutes < 60
            else { return nil }
            milliseconds += Int64(hours * 60 + minutes) * 60_000 * (isWest ? 1 : -1)
        }
        guard rest.isEmpty, Self.writable.contains(milliseconds) else { return nil }
        unixMilliseconds = milliseconds
    }

    /// Appends `2026-11-21T06:13:00.123Z`.
    ///
    /// O(1).
    package func append(to output: inout [UInt8]) {
        appendDay(to: &output)
        let time = CivilTime(unixSeconds: unixSeconds)
        let (start, colon) = (UInt8(ascii: "T"), UInt8(ascii: ":"))
        for (mark, number) in [(start, time.hour), (colon, time.minute), (colon, time.second)] {
            output.append(mark)
            Self.append(number, digits: 2, to: &output)
        }
        output.append(UInt8(ascii: "."))
        Self.append(Int(unixMilliseconds - unixSeconds * 1000), digits: 3, to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    /// Appends `2026-11-21`, the day in UTC.
    ///
    /// O(1).
    package func appendDay(to output: inout [UInt8]) {
        let date = CivilTime(unixSeconds: unixSeconds)
        Self.append(date.year, digits: 4, to: &output)
        output.append(UInt8(ascii: "-"))
        Self.append(date.month, digits: 2, to: &output)
        output.append(UInt8(ascii: "-"))
        Self.append(date.day, digits: 2, to: &output)
    }

    private var unixSeconds: Int64 {
        (unixMilliseconds >= 0 ? unixMilliseconds : unixMilliseconds - 999) / 1000
    }

    private static func append(_ number: Int, digits: Int, to output: inout [UInt8]) {
        var weight = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while weight > 0 {
            output.append(UInt8(truncatingIfNeeded: 0x30 + number / weight % 10))
            weight /= 10
        }
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
