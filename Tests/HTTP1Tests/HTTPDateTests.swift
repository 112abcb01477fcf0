// Dates as HTTP writes them (RFC 9110 §5.6.7): one format written, three read.
// `now` is an argument everywhere: two-digit years depend on it.

import Clocks
import Testing

@testable import HTTP1

struct HTTPDateTests {
    private static let now = HTTPDate(unixSeconds: 1_795_241_580)  // in 2026

    private static func written(_ date: HTTPDate) -> String {
        var output: [UInt8] = []
        date.append(to: &output)
        return text(output)
    }

    @Test(
        "RFC 9110 §5.6.7: IMF-fixdate is written",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func writes(_ unixSeconds: Int64, _ expected: String) {
        #expect(Self.written(HTTPDate(unixSeconds: unixSeconds)) == expected)
    }

    @Test(
        "RFC 9110 §5.6.7: all three formats are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ])
    func reads(_ date: String) {
        #expect(HTTPDate(date.utf8, now: Self.now)?.unixSeconds == 784_111_777)
    }

    @Test(
        "RFC 9110 §5.6.7: two-digit years more than 50 years ahead are in the past",
        arguments: [
            ("76", 2076), ("77", 1977), ("99", 1999), ("00", 2000), ("26", 2026), ("27", 2027),
            ("75", 2075),
        ])
    func century(_ digits: String, _ year: Int) throws {
        let date = try #require(
            HTTPDate("Monday, 02-Feb-\(digits) 00:00:00 GMT".utf8, now: Self.now))
        #expect(CivilTime(unixSeconds: date.unixSeconds).year == year)
    }

    @Test("a leap second is the second before it (RFC 9110 §5.6.7 allows 60)")
    func leapSecond() {
        let date = HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT".utf8, now: Self.now)
        #expect(date?.unixSeconds == 1_483_228_799)
    }

    @Test(
        "RFC 9110 §13.1.3: what is no date is nil, so that the field is ignored",
        arguments: [
            "", "0", "now", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
            "Sun, 06 Nov 1994 08:49:37 GMT x", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov +194 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37: GMT",
            "Sun, 06 Nov 1994 -8:49:37 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT",
            "Sun Nov  6 08:49:37 94", "Sun Nov 06 1994 08:49:37", "1994-11-06T08:49:37Z", "\u{0}",
        ])
    func refuses(_ date: String) {
        #expect(HTTPDate(date.utf8, now: Self.now) == nil)
    }

    @Test("bytes that are no text are no date")
    func noText() {
        #expect(HTTPDate([0xFF, 0xFE, 0x20, 0x80], now: Self.now) == nil)
    }

    @Test("reading undoes writing, on every seventh day and another second of four centuries")
    func roundTrip() async {
        var faults = 0
        for day in stride(from: -30_000, to: 116_097, by: 7) {
            let date = HTTPDate(unixSeconds: Int64(day) * 86_400 + Int64(day & 0xFFFF))
            if HTTPDate(Self.written(date).utf8, now: Self.now) != date { faults += 1 }
            if day.isMultiple(of: 700) { await Task.yield() }
        }
        #expect(faults == 0)
    }

    @Test("dates are ordered by time")
    func order() {
        #expect(HTTPDate(unixSeconds: 1) < HTTPDate(unixSeconds: 2))
    }
}
