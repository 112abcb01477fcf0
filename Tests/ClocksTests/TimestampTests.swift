// RFC 3339 read in all its spellings and written in one: UTC, milliseconds, `Z`.
// A moment that four digits of a year can't write is refused, so that reading undoes writing.

import Testing

@testable import Clocks

struct TimestampTests {
    @Test(
        "RFC 3339 §5.6: a date and time is read, whatever its fraction, offset and letter case",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-21T06:13:00.123Z", 1_795_241_580_123),
            ("2026-11-21t06:13:00.123z", 1_795_241_580_123),
            ("2026-11-21T06:13:00Z", 1_795_241_580_000),
            ("2026-11-21T06:13:00.1Z", 1_795_241_580_100),
            ("2026-11-21T06:13:00.12Z", 1_795_241_580_120),
            ("2026-11-21T06:13:00.1239999999999999999999999Z", 1_795_241_580_123),
            ("2026-11-21T08:13:00+02:00", 1_795_241_580_000),
            ("2026-11-20T22:43:00.5-07:30", 1_795_241_580_500),
            ("2026-11-21T06:13:00-00:00", 1_795_241_580_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_799_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func reads(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(text.utf8)?.unixMilliseconds == milliseconds)
    }

    @Test(
        "what RFC 3339 §5.6 does not allow is nil, and so is a moment outside of its years",
        arguments: [
            "", "2026-11-21", "06:13:00Z", "2026-11-21T06:13:00", "2026-11-21 06:13:00Z",
            "2026-11-21T06:13Z", "2026-11-21T06:13:00.Z", "2026-11-21T06:13:00,5Z",
            "2026-11-21T24:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:13:61Z",
            "2026-02-30T06:13:00Z", "2023-02-29T06:13:00Z", "2026-13-01T06:13:00Z",
            "2026-00-01T06:13:00Z", "2026-11-00T06:13:00Z", "26-11-21T06:13:00Z",
            "+026-11-21T06:13:00Z", "2026-11-21T06:13:00ZZ", "2026-11-21T06:13:00Z ",
            " 2026-11-21T06:13:00Z", "2026-11-21T06:13:00+2:00", "2026-11-21T06:13:00+0200",
            "2026-11-21T06:13:00+24:00", "2026-11-21T06:13:00+02:60", "2026-11-21T06:13:00+",
            "2026-11-21T06:13:00*02:00", "2026-11-21T06:13:0٣Z", "２026-11-21T06:13:00Z",
            "2026-11-21T06:13:00.1\u{0}Z", "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
        ])
    func refuses(_ text: String) {
        #expect(Timestamp(text.utf8) == nil)
    }

    @Test(
        "a moment is written with four-digit year and three-digit fraction",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (-1000, "1969-12-31T23:59:59.000Z"), (1_795_241_580_123, "2026-11-21T06:13:00.123Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writes(_ milliseconds: Int64, _ text: String) {
        let moment = Timestamp(unixMilliseconds: milliseconds)
        #expect(moment.description == text)
        var day: [UInt8] = []
        moment.appendDay(to: &day)
        #expect(String(decoding: day, as: UTF8.self) == text.prefix(10))
    }

    @Test("reading undoes writing, over two thousand years")
    func roundTrip() {
        var milliseconds: Int64 = -30_000_000_000_123
        var faults = 0
        while milliseconds < 33_000_000_000_000 {
            let moment = Timestamp(unixMilliseconds: milliseconds)
            if Timestamp(moment.description.utf8) != moment { faults += 1 }
            milliseconds += 9_973_000_777
        }
        #expect(faults == 0)
    }

    @Test("moments are ordered by time")
    func order() {
        #expect(Timestamp(unixMilliseconds: -1) < Timestamp(unixMilliseconds: 0))
        #expect(!(Timestamp.now < Timestamp(unixMilliseconds: 0)))
    }
}
