// Dates and times in UTC and the Gregorian calendar, without Foundation: every response and every
// record contains a date.

/// A time in UTC, split into calendar date and time of day.
package struct CivilTime: Sendable, Equatable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 0 to 59; leap seconds don't exist in Unix time.
    package var second: Int

    /// Makes a time; its parts are validated by `unixSeconds`.
    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Splits seconds since 1970-01-01T00:00:00Z.
    ///
    /// O(1). The date follows H. Hinnant's "chrono-compatible low-level date algorithms".
    package init(unixSeconds: Int64) {
        let days = Int((unixSeconds >= 0 ? unixSeconds : unixSeconds - 86_399) / 86_400)
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let secondOfDay = Int(unixSeconds - Int64(days) * 86_400)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Seconds since 1970-01-01T00:00:00Z; nil if the date is invalid, such as 30 February.
    package var unixSeconds: Int64? {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let seconds = Int64(daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return CivilTime(unixSeconds: seconds) == self ? seconds : nil
    }

    /// Monday is 1, Sunday 7 (ISO 8601).
    package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 + 1 }

    private var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
