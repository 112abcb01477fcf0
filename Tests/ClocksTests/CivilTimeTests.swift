// The Gregorian calendar without Foundation, against dates whose Unix time is known from elsewhere,
// and against itself over every day of four centuries.

import Testing

@testable import Clocks

struct CivilTimeTests {
    struct KnownMoment: Sendable {
        let unixSeconds: Int64
        let time: CivilTime
        let weekday: Int
    }

    static let knownMoments: [KnownMoment] = [
        moment(0, CivilTime(year: 1970, month: 1, day: 1), 4),
        moment(-1, CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59), 3),
        moment(-86_400, CivilTime(year: 1969, month: 12, day: 31), 3),
        moment(
            784_111_777, CivilTime(year: 1994, month: 11, day: 6, hour: 8, minute: 49, second: 37),
            7),
        moment(951_782_400, CivilTime(year: 2000, month: 2, day: 29), 2),
        moment(951_868_800, CivilTime(year: 2000, month: 3, day: 1), 3),
        moment(-2_203_977_600, CivilTime(year: 1900, month: 2, day: 28), 3),
        moment(-2_203_891_200, CivilTime(year: 1900, month: 3, day: 1), 4),
        moment(1_709_164_800, CivilTime(year: 2024, month: 2, day: 29), 4),
        moment(
            2_147_483_648, CivilTime(year: 2038, month: 1, day: 19, hour: 3, minute: 14, second: 8),
            2),
        moment(4_107_456_000, CivilTime(year: 2100, month: 2, day: 28), 7),
        moment(4_107_542_400, CivilTime(year: 2100, month: 3, day: 1), 1),
        moment(
            253_402_300_799,
            CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59), 5),
        moment(-62_167_219_200, CivilTime(year: 0, month: 1, day: 1), 6),
        moment(-62_135_596_800, CivilTime(year: 1, month: 1, day: 1), 1),
    ]

    private static func moment(
        _ unixSeconds: Int64, _ time: CivilTime, _ weekday: Int
    ) -> KnownMoment {
        KnownMoment(unixSeconds: unixSeconds, time: time, weekday: weekday)
    }

    @Test("known moments are split, joined and given their weekday", arguments: knownMoments)
    func knownMoment(_ moment: KnownMoment) {
        #expect(CivilTime(unixSeconds: moment.unixSeconds) == moment.time)
        #expect(moment.time.unixSeconds == moment.unixSeconds)
        #expect(moment.time.weekday == moment.weekday)
    }

    @Test(
        "a moment that does not exist has no Unix time",
        arguments: [
            CivilTime(year: 2023, month: 2, day: 29), CivilTime(year: 1900, month: 2, day: 29),
            CivilTime(year: 2100, month: 2, day: 29), CivilTime(year: 2024, month: 2, day: 30),
            CivilTime(year: 2024, month: 4, day: 31), CivilTime(year: 2024, month: 0, day: 1),
            CivilTime(year: 2024, month: 13, day: 1), CivilTime(year: 2024, month: 1, day: 0),
            CivilTime(year: 2024, month: 1, day: 32), CivilTime(year: -1, month: 1, day: 1),
            CivilTime(year: 10_000, month: 1, day: 1),
            CivilTime(year: 2024, month: 1, day: 1, hour: 24),
            CivilTime(year: 2024, month: 1, day: 1, minute: 60),
            CivilTime(year: 2024, month: 1, day: 1, second: 60),
            CivilTime(year: 2024, month: 1, day: 1, hour: -1),
            CivilTime(year: .max, month: .min, day: .max),
        ])
    func impossibleMoment(_ time: CivilTime) {
        #expect(time.unixSeconds == nil)
    }

    @Test("the days of four centuries follow one another, without a gap and in weekday order")
    func everyDay() async {
        // 1 January 1900 was a Monday; the Gregorian calendar repeats after 400 years.
        var expected = CivilTime(year: 1900, month: 1, day: 1)
        var weekday = 1
        var faults = 0
        for day in 0..<146_097 {
            if day.isMultiple(of: 1_000) { await Task.yield() }
            let seconds = Int64(day - 25_567) * 86_400
            let time = CivilTime(unixSeconds: seconds)
            if time != expected || time.weekday != weekday || time.unixSeconds != seconds {
                faults += 1
            }
            expected = Self.dayAfter(expected)
            weekday = weekday % 7 + 1
        }
        #expect(faults == 0)
        #expect(expected == CivilTime(year: 2300, month: 1, day: 1))
    }

    /// Counted the way people do, so that it shares nothing with the code under test.
    private static func dayAfter(_ date: CivilTime) -> CivilTime {
        let isLeapYear =
            date.year.isMultiple(of: 4)
            && (!date.year.isMultiple(of: 100) || date.year.isMultiple(of: 400))
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var next = date
        next.day += 1
        if next.day > lengths[date.month - 1] {
            next.day = 1
            next.month += 1
        }
        if next.month > 12 {
            next.month = 1
            next.year += 1
        }
        return next
    }

    @Test("the monotonic clock does not go back, and the calendar clock is of this century")
    func clocks() {
        let before = Clock.monotonicMilliseconds
        #expect(Clock.monotonicMilliseconds >= before)
        #expect((2020...2100).contains(CivilTime(unixSeconds: Clock.unixMilliseconds / 1000).year))
    }
}
