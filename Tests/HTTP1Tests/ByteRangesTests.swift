// Byte ranges (RFC 9110 §14): the RFC's examples, the edges of a representation, numbers of any
// size, and everything that makes a server answer with the whole.

import Testing

@testable import HTTP1

struct ByteRangesTests {
    private static let limit = 4
    private static let maximum = "9223372036854775807"

    private static func parse(_ value: String, size: Int) -> ByteRanges {
        // A slice of something longer: positions must not be taken for indices.
        let bytes = Array("Range: \(value)\r\n".utf8)
        return ByteRanges.parse(bytes[7..<(bytes.count - 2)], size: size, limit: limit)
    }

    @Test(
        "RFC 9110 §14.1.2: the RFC's examples, of 10000 bytes",
        arguments: [
            ("bytes=0-499", [0..<500]), ("bytes=500-999", [500..<1000]),
            ("bytes=-500", [9500..<10_000]), ("bytes=9500-", [9500..<10_000]),
            ("bytes=0-0,-1", [0..<1, 9999..<10_000]),
            ("bytes= 0-0, -1", nil), ("bytes=0-0, -1", [0..<1, 9999..<10_000]),
            ("bytes=0-999, 4500-5499, -1000", [0..<1000, 4500..<5500, 9000..<10_000]),
            ("bytes=500-600,601-999", [500..<601, 601..<1000]),
            ("bytes=500-700,601-999", [500..<701, 601..<1000]),
        ] as [(String, [Range<Int>]?)])
    func examples(_ value: String, _ ranges: [Range<Int>]?) {
        #expect(Self.parse(value, size: 10_000) == ranges.map(ByteRanges.ranges) ?? .ignored)
    }

    @Test(
        "RFC 9110 §14.1.2: what one range holds of ten bytes",
        arguments: [
            ("0-0", 0..<1), ("0-9", 0..<10), ("0-10", 0..<10), ("0-", 0..<10), ("9-9", 9..<10),
            ("9-", 9..<10), ("9-99", 9..<10), ("3-4", 3..<5), ("-1", 9..<10), ("-10", 0..<10),
            ("-11", 0..<10), ("00-09", 0..<10), ("-0010", 0..<10), ("0003-0003", 3..<4),
            ("5-\(maximum)", 5..<10), ("-\(maximum)", 0..<10),
            ("5-9223372036854775808", 5..<10), ("5-99999999999999999999999999", 5..<10),
            ("5-18446744073709551617", 5..<10), ("-18446744073709551617", 0..<10),
            ("-9223372036854775808", 0..<10), ("5-18446744073709551616", 5..<10),
            ("000000000000000000000000000000001-2", 1..<3),
        ] as [(String, Range<Int>)])
    func one(_ range: String, _ expected: Range<Int>) {
        #expect(Self.parse("bytes=\(range)", size: 10) == .ranges([expected]))
    }

    @Test(
        "RFC 9110 §14.1.2: ranges behind the last byte can't be satisfied, whatever their numbers",
        arguments: [
            "10-", "10-10", "11-", "10-20,30-", "-0", "-000", "-0,10-", ",10-,", "\(maximum)-",
            "\(maximum)-\(maximum)", "9223372036854775808-", "18446744073709551616-",
            "18446744073709551616-18446744073709551617",
            "99999999999999999999999999-99999999999999999999999999",
        ])
    func unsatisfiable(_ list: String) {
        #expect(Self.parse("bytes=\(list)", size: 10) == .unsatisfiable)
    }

    @Test(
        "RFC 9110 §14.2: what can be satisfied is, and the rest left out",
        arguments: [
            ("10-,0-0", [0..<1]), ("0-0,10-", [0..<1]), ("-0,5-", [5..<10]),
            ("20-30,3-4,10-,-1", [3..<5, 9..<10]), ("18446744073709551616-,1-1", [1..<2]),
        ] as [(String, [Range<Int>])])
    func partly(_ list: String, _ ranges: [Range<Int>]) {
        #expect(Self.parse("bytes=\(list)", size: 10) == .ranges(ranges))
    }

    @Test(
        "RFC 9110 §14.1.2: an empty representation has no byte to ask for",
        arguments: [
            ("0-", .unsatisfiable), ("0-0", .unsatisfiable), ("1-", .unsatisfiable),
            ("-0", .unsatisfiable), ("0-,1-", .unsatisfiable),
            // A suffix is satisfiable and is the whole, which only 200 can send.
            ("-1", .ignored), ("-\(maximum)", .ignored), ("0-0,-1", .ignored),
        ] as [(String, ByteRanges)])
    func empty(_ list: String, _ expected: ByteRanges) {
        #expect(Self.parse("bytes=\(list)", size: 0) == expected)
    }

    @Test("RFC 9110 §14.1.2: a single byte is first and last, and the largest size doesn't wrap")
    func sizes() {
        #expect(Self.parse("bytes=-1", size: 1) == .ranges([0..<1]))
        #expect(Self.parse("bytes=0-", size: 1) == .ranges([0..<1]))
        #expect(Self.parse("bytes=1-", size: 1) == .unsatisfiable)
        #expect(Self.parse("bytes=0-", size: .max) == .ranges([0..<Int.max]))
        #expect(Self.parse("bytes=-\(Self.maximum)", size: .max) == .ranges([0..<Int.max]))
        #expect(Self.parse("bytes=\(Self.maximum)-", size: .max) == .unsatisfiable)
        #expect(
            Self.parse("bytes=9223372036854775806-\(Self.maximum)", size: .max)
                == .ranges([Int.max - 1..<Int.max]))
    }

    @Test(
        "RFC 9110 §14.1: the unit's case does not matter", arguments: ["Bytes", "BYTES", "bYtEs"])
    func unit(_ unit: String) {
        #expect(Self.parse("\(unit)=0-0", size: 10) == .ranges([0..<1]))
    }

    @Test(
        "RFC 9110 §14.2: other units, and none, are ignored",
        arguments: [
            "items=0-0", "byte=0-0", "bytess=0-0", "none", "=0-0", "0-0", "", "bytes", "bytes:0-0",
            "bytes 0-0", "bytes =0-0", " bytes=0-0", "\"bytes\"=0-0", "x-bytes=0-0", "bytes/0-0",
            "b\u{FF59}tes=0-0", "seconds=1-2,3-4", "bytes,bytes=0-0",
        ])
    func otherUnits(_ value: String) {
        #expect(Self.parse(value, size: 10) == .ignored)
    }

    @Test(
        "RFC 9110 §14.1.1: one member off the grammar makes the whole field ignored",
        arguments: [
            "-", "--", "--1", "0", "0-0-0", "0--1", "-1-", "0-1-", "a-", "-a", "a-b", "0-a",
            "0x0-1",
            "+0-1", "0-+1", "-+1", "0- 1", "0 -1", "0 - 1", "- 1", "0-1 2", "0-1;2", "0.0-1",
            "1e1-", "*", "0-*", "\"0-1\"", "0\u{2013}1", "\u{FF10}-1", "0-\u{0661}", "1-0", "9-8",
            "10-9", "18446744073709551616-0", "0-1\u{0}", "0-1\u{A0}", "0_0-1", "bytes=0-1",
            "0-1/10", "9223372036854775807-9223372036854775806",
        ])
    func malformed(_ member: String) {
        for list in [member, "0-0,\(member)", "\(member),0-0", "20-,\(member)"] {
            #expect(Self.parse("bytes=\(list)", size: 10) == .ignored, "\(list)")
        }
    }

    @Test(
        "RFC 9110 §5.6.1: empty members are skipped, blanks stand beside commas",
        arguments: [
            (",0-0", [0..<1]), ("0-0,", [0..<1]), (",,0-0,,,-1,", [0..<1, 9..<10]),
            ("0-0 ,\t-1", [0..<1, 9..<10]), (" ,\t, 0-0 , ", [0..<1]), ("0-0\t", [0..<1]),
            ("", nil), (",", nil), (" , ,", nil), (" 0-0", nil), ("\t0-0,-1", nil),
        ] as [(String, [Range<Int>]?)])
    func lists(_ list: String, _ ranges: [Range<Int>]?) {
        #expect(
            Self.parse("bytes=\(list)", size: 10) == ranges.map(ByteRanges.ranges) ?? .ignored)
    }

    @Test(
        "RFC 9110 §14.2: more ranges than the limit are ignored, those left out counted",
        arguments: [
            ("0-0,2-2,4-4,6-6", [0..<1, 2..<3, 4..<5, 6..<7]), ("0-0,2-2,4-4,6-6,8-8", nil),
            ("0-0,2-2,4-4,20-", [0..<1, 2..<3, 4..<5]), ("0-0,20-,21-,22-,23-", nil),
            ("20-,21-,22-,23-,24-", nil), (",,,,,,0-0,,,,,", [0..<1]),
        ] as [(String, [Range<Int>]?)])
    func limits(_ list: String, _ ranges: [Range<Int>]?) {
        #expect(
            Self.parse("bytes=\(list)", size: 10) == ranges.map(ByteRanges.ranges) ?? .ignored)
    }

    @Test(
        "RFC 9110 §14.2: two ranges may overlap, more may not; order and neighbours don't matter",
        arguments: [
            ("0-5,3-8", [0..<6, 3..<9]), ("3-8,0-5", [3..<9, 0..<6]), ("0-,0-", [0..<10, 0..<10]),
            ("0-9,5-5,-0", [0..<10, 5..<6]), ("0-2,3-5,6-9", [0..<3, 3..<6, 6..<10]),
            ("8-9,0-1,4-5", [8..<10, 0..<2, 4..<6]), ("0-1,1-2,5-5", [0..<2, 1..<3, 5..<6]),
            ("0-,0-,0-", nil), ("0-4,3-7,6-9", nil), ("0-9,1-1,3-3", nil), ("1-1,3-3,0-9", nil),
            ("0-1,1-2,5-6,6-7", nil), ("-9,0-1,5-20", nil),
        ] as [(String, [Range<Int>]?)])
    func overlaps(_ list: String, _ ranges: [Range<Int>]?) {
        #expect(
            Self.parse("bytes=\(list)", size: 10) == ranges.map(ByteRanges.ranges) ?? .ignored)
    }

    @Test("RFC 9110 §14.2: with no range allowed everything is ignored")
    func noRanges() {
        #expect(ByteRanges.parse(Array("bytes=0-".utf8)[...], size: 10, limit: 0) == .ignored)
    }
}
