// Addresses: every form that RFC 3986 §3.2.2 allows, what is near it and isn't allowed, and the one
// text that RFC 5952 allows for each.

import Mutations
import Testing

@testable import Sockets

struct IPAddressTests {
    @Test(
        "RFC 3986 §3.2.2: four decimal octets are an IPv4 address",
        arguments: [
            ("0.0.0.0", 0), ("127.0.0.1", 0x7F00_0001), ("255.255.255.255", 0xFFFF_FFFF),
            ("1.2.3.4", 0x0102_0304), ("10.99.100.249", 0x0A63_64F9),
        ] as [(String, UInt32)])
    func readsIPv4(_ text: String, _ number: UInt32) throws {
        let address = try #require(IPAddress(text.utf8))
        #expect(address == IPAddress(v4: number))
        #expect(address.description == text)
    }

    @Test(
        "RFC 6052 §2.1: 64:ff9b::/96 has IPv4 addresses in its last 32 bits, and nothing else has",
        arguments: [
            ("64:ff9b::a9fe:a9fe", "169.254.169.254"), ("64:ff9b::", "0.0.0.0"),
            ("64:ff9b::1:0:0", "64:ff9b::1:0:0"), ("64:ff9b:1::a00:1", "64:ff9b:1::a00:1"),
            ("65:ff9b::a00:1", "65:ff9b::a00:1"), ("::a00:1", "::a00:1"), ("10.0.0.1", "10.0.0.1"),
        ])
    func translates(_ text: String, _ expected: String) throws {
        #expect(try #require(IPAddress(text.utf8)).translated.description == expected)
    }

    @Test(
        "RFC 3986 §3.2.2: what isn't four octets in plain decimal is no IPv4 address",
        arguments: [
            "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.",
            "256.0.0.1", "1.2.3.256", "1.2.3.999", "1.2.3.1000", "01.2.3.4", "1.2.3.04", "00.0.0.0",
            "1.2.3.00", "1.2.3.-4", "1.2.3.+4", "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4/8",
            "1.2.3.4:80", "1,2,3,4", "1.2.3.a", "１.2.3.4", "1.2.3.4\u{0}", "2130706433",
            "[1.2.3.4]", "1.2.3.4%0", "localhost", "4294967297.0.0.1", "18446744073709551617.0.0.1",
        ])
    func refusesIPv4(_ text: String) {
        #expect(IPAddress(text.utf8) == nil)
    }

    @Test(
        "RFC 3986 §3.2.2: every form of an IPv6 address is read",
        arguments: [
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004, 0x0005_0006_0007_0008),
            ("1:2:3:4:5:6:7.8.9.10", 0x0001_0002_0003_0004, 0x0005_0006_0708_090A),
            ("::2:3:4:5:6:7:8", 0x0000_0002_0003_0004, 0x0005_0006_0007_0008),
            ("::3:4:5:6:7:8", 0x0000_0000_0003_0004, 0x0005_0006_0007_0008),
            ("1::3:4:5:6:7:8", 0x0001_0000_0003_0004, 0x0005_0006_0007_0008),
            ("::4:5:6:7:8", 0x0000_0000_0000_0004, 0x0005_0006_0007_0008),
            ("1:2::4:5:6:7:8", 0x0001_0002_0000_0004, 0x0005_0006_0007_0008),
            ("1:2:3::5:6:7:8", 0x0001_0002_0003_0000, 0x0005_0006_0007_0008),
            ("1:2:3:4::6:7:8", 0x0001_0002_0003_0004, 0x0000_0006_0007_0008),
            ("1:2:3:4:5::7:8", 0x0001_0002_0003_0004, 0x0005_0000_0007_0008),
            ("1:2:3:4:5::7.8.9.10", 0x0001_0002_0003_0004, 0x0005_0000_0708_090A),
            ("1:2:3:4:5:6::8", 0x0001_0002_0003_0004, 0x0005_0006_0000_0008),
            ("1:2:3:4:5:6:7::", 0x0001_0002_0003_0004, 0x0005_0006_0007_0000),
            ("1::8", 0x0001_0000_0000_0000, 8), ("1::", 0x0001_0000_0000_0000, 0),
            ("1::7.8.9.10", 0x0001_0000_0000_0000, 0x0708_090A),
            ("::", 0, 0), ("::1", 0, 1), ("::1.2.3.4", 0, 0x0102_0304),
            ("0:0:0:0:0:0:0:0", 0, 0), ("0000:0000:0000:0000:0000:0000:0000:0001", 0, 1),
            ("2001:DB8::AbCd", 0x2001_0DB8_0000_0000, 0xABCD),
            ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", .max, .max),
            ("::ffff:0:1.2.3.4", 0, 0xFFFF_0000_0102_0304),
        ] as [(String, UInt64, UInt64)])
    func readsIPv6(_ text: String, _ high: UInt64, _ low: UInt64) throws {
        let address = try #require(IPAddress(text.utf8))
        #expect(address == IPAddress(high: high, low: low))
        #expect(!address.isIPv4)
        #expect(IPAddress(address.description.utf8) == address)
    }

    @Test(
        "RFC 3986 §3.2.2: what is near an IPv6 address is none",
        arguments: [
            ":", ":::", "::::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:",
            ":2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::",
            "1:2:3:4::5:6:7:8", "1::2::3", "::1::", ":::1", "1:::", "1:::2", "12345::", "::00001",
            "::g", "::-1", "::+1", "::0x1", ":: 1", "::1 ", " ::1", "[::1]", "[::1", "::1]",
            "::1%eth0", "::1%25eth0", "::1/128", "1.2.3.4::", "1.2.3.4:1::", "::1.2.3.4:5",
            "::1.2.3", "::1.2.3.4.5", "::1.2.3.256", "::1.2.3.04", "::.1.2.3",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1:2:3:4:5:6:7::1.2.3.4", "1:2:3:4:5:1.2.3.4", "::１", "::1\u{0}", "v1.a",
            "::ffff:1.2.3",
            "00000000000000000000000000000000000000000000::1",
        ])
    func refusesIPv6(_ text: String) {
        #expect(IPAddress(text.utf8) == nil)
    }

    @Test("bytes that are no text are no address")
    func noText() {
        #expect(IPAddress([0xFF, 0xFE]) == nil)
        #expect(IPAddress([UInt8](repeating: 0x3A, count: 1_000_000)) == nil)
        #expect(IPAddress([0x3A, 0x3A, 0xB2]) == nil)
    }

    @Test(
        "RFC 4291 §2.5.5.2: an IPv4-mapped address is the IPv4 address",
        arguments: [
            ("::ffff:1.2.3.4", "1.2.3.4"), ("::FFFF:7f00:1", "127.0.0.1"),
            ("0:0:0:0:0:ffff:0:0", "0.0.0.0"),
        ])
    func mapped(_ text: String, _ mapped: String) {
        #expect(IPAddress(text.utf8) == IPAddress(mapped.utf8))
        #expect(IPAddress(text.utf8)?.description == mapped)
    }

    @Test("RFC 4291 §2.5.5.2: mapped octets are mapped too, their neighbours are not")
    func mappedNumbers() {
        #expect(IPAddress(high: 0, low: 0xFFFF_7F00_0001) == IPAddress(v4: 0x7F00_0001))
        #expect(IPAddress(high: 1, low: 0xFFFF_7F00_0001) != IPAddress(v4: 0x7F00_0001))
        #expect(IPAddress(high: 0, low: 0x7F00_0001) != IPAddress(v4: 0x7F00_0001))
        #expect(IPAddress(high: 0, low: 0x1_FFFF_7F00_0001) != IPAddress(v4: 0x7F00_0001))
    }

    @Test(
        "RFC 5952 §4: each IPv6 address has one text",
        arguments: [
            ("2001:0db8::0001", "2001:db8::1"), ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:DB8::ABCD", "2001:db8::abcd"), ("0:0:0:0:0:0:0:0", "::"),
            ("1:0:0:0:0:0:0:0", "1::"),
            ("0:0:1:2:3:4:0:0", "::1:2:3:4:0:0"), ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("::1.2.3.4", "::102:304"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ])
    func writes(_ text: String, _ expected: String) {
        #expect(IPAddress(text.utf8)?.description == expected)
    }

    @Test("reading undoes writing for twenty thousand addresses, with zero groups among them")
    func roundTrip() async {
        var generator = SeededGenerator(seed: 21)
        var faults = 0
        for round in 0..<20_000 {
            let high = generator.next() & Self.mask(&generator)
            let low = generator.next() & Self.mask(&generator)
            let address =
                round.isMultiple(of: 4)
                ? IPAddress(v4: UInt32(truncatingIfNeeded: low)) : IPAddress(high: high, low: low)
            if IPAddress(address.description.utf8) != address { faults += 1 }
            if round.isMultiple(of: 500) { await Task.yield() }
        }
        #expect(faults == 0)
    }

    /// Four groups, each kept or cleared.
    private static func mask(_ generator: inout SeededGenerator) -> UInt64 {
        let choice = generator.next()
        return (0..<4).reduce(0) { mask, group in
            choice >> UInt64(group) & 1 == 0 ? mask : mask | 0xFFFF << UInt64(group * 16)
        }
    }

    @Test(
        "RFC 1122 §3.2.1.3, RFC 4291 §2.5.3: what is loopback",
        arguments: [
            ("127.0.0.1", true), ("127.255.255.255", true), ("127.0.0.0", true), ("::1", true),
            ("::ffff:127.0.0.1", true), ("126.255.255.255", false), ("128.0.0.0", false),
            ("0.0.0.0", false), ("::", false), ("::2", false), ("1::1", false),
            ("::127.0.0.1", false), ("fe80::1", false),
        ])
    func loopback(_ text: String, _ isLoopback: Bool) {
        #expect(IPAddress(text.utf8)?.isLoopback == isLoopback)
    }

    @Test(
        "RFC 3986 §3.2.2: an IPv6 address before a port stands in brackets",
        arguments: [
            ("127.0.0.1", 51_512, "127.0.0.1:51512"), ("::1", 51_512, "[::1]:51512"),
            ("::ffff:10.0.0.1", 0, "10.0.0.1:0"), ("2001:db8::", 65_535, "[2001:db8::]:65535"),
        ] as [(String, UInt16, String)])
    func socketAddress(_ ip: String, _ port: UInt16, _ expected: String) throws {
        let address = try #require(IPAddress(ip.utf8))
        #expect(SocketAddress.ip(address, port: port).description == expected)
        #expect(SocketAddress.ip(address, port: port).ip == address)
        #expect(SocketAddress(expected) == .ip(address, port: port))
    }

    @Test(
        "a text that is no socket address is refused",
        arguments: [
            "", ":", "1.2.3.4", "1.2.3.4:", ":80", "1.2.3.4:65536", "1.2.3.4:x", "host:80",
            "[::1]", "[::1:80", "unix", "127.0.0.1:80 ",
        ])
    func noSocketAddress(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test("a Unix domain socket has no address")
    func unixSocketAddress() {
        #expect(SocketAddress.unix.description == "unix:")
        #expect(SocketAddress.unix.ip == nil)
        #expect(SocketAddress("unix:") == .unix)
    }
}
