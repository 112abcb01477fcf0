// Times as the vendors write them, in UTC and the Gregorian calendar, without Foundation.
// Invariant: years have four digits; times before 1970 and after 9999 are clamped.

/// A time in UTC as text.
enum UTCText {
    /// `2026-02-03T09:00:00Z`, from seconds since 1970.
    static func zulu(_ unixSeconds: Int64) -> String { stem(unixSeconds) + "Z" }

    /// `2026-02-03T09:00:00.123000`, from seconds since 1970 and the digits of the microseconds.
    static func microseconds(_ unixSeconds: Int64, _ microsecond: Int) -> String {
        stem(unixSeconds) + "." + padded(min(max(microsecond, 0), 999_999), 6)
    }

    /// `unixSeconds`, clamped to the range that can be written.
    static func clamped(_ unixSeconds: Int64) -> Int64 { min(max(unixSeconds, 0), 253_402_300_799) }

    /// Date and time without a zone.
    ///
    /// The date follows H. Hinnant's "chrono-compatible low-level date algorithms".
    private static func stem(_ unixSeconds: Int64) -> String {
        let seconds = Int(clamped(unixSeconds))
        let shifted = seconds / 86_400 + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return date + "T" + time.joined(separator: ":")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
