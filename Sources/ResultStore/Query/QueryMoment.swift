// Times in queries: RFC 3339, a day, or an offset from now.

import Clocks
import Text

/// The time that a text names: all milliseconds from `first` to `last`.
struct QueryMoment: Sendable, Equatable {
    var first: Timestamp
    var last: Timestamp
    /// Whether the text is an offset, which by itself means everything since then.
    var isRelative = false

    static let millisecondsPerDay: Int64 = 86_400_000

    /// Parses RFC 3339, `2026-11-20` (the whole day in UTC) or `-15m` (s, m, h or d before `now`);
    /// nil for anything else, for times before the year 0000, and for an offset without `now`.
    init?(_ text: [UInt8], now: Timestamp?) {
        if let time = Timestamp(text) {
            (first, last) = (time, time)
        } else if text.count == 10, let start = Timestamp(text + Array("T00:00:00Z".utf8)) {
            let end = start.unixMilliseconds + Self.millisecondsPerDay - 1
            (first, last) = (start, Timestamp(unixMilliseconds: end))
        } else if let now, let time = Self.relative(text, now: now) {
            (first, last, isRelative) = (time, time, true)
        } else {
            return nil
        }
    }

    private static func relative(_ text: [UInt8], now: Timestamp) -> Timestamp? {
        guard text.count >= 3, text.first == UInt8(ascii: "-"), let unit = text.last else {
            return nil
        }
        let milliseconds: Int64
        switch unit {
        case UInt8(ascii: "s"): milliseconds = 1000
        case UInt8(ascii: "m"): milliseconds = 60_000
        case UInt8(ascii: "h"): milliseconds = 3_600_000
        case UInt8(ascii: "d"): milliseconds = millisecondsPerDay
        default: return nil
        }
        let digits = text.dropFirst().dropLast()
        guard digits.allSatisfy(\.isDigit),
            let count = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let (distance, isTooFar) = count.multipliedReportingOverflow(by: milliseconds)
        let (time, isTooEarly) = now.unixMilliseconds.subtractingReportingOverflow(distance)
        guard !isTooFar, !isTooEarly, time >= earliest else { return nil }
        return Timestamp(unixMilliseconds: time)
    }

    /// 0000-01-01T00:00:00Z, the earliest time in RFC 3339.
    private static let earliest: Int64 = -62_167_219_200_000
}
