// PROXY headers (proxy-protocol.txt): good and bad ones of both versions, each whole, cut at every
// byte, and with a request after it.

import Sockets
import Testing

@testable import HTTP1

struct ProxyHeaderTests {
    private static let request = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
    private static let longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"

    /// A version 2 header: the bytes of command and family, the length, and `rest`.
    private static func binary(
        _ command: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? rest.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
    }

    private static func parse(_ bytes: [UInt8]) -> ProxyHeader.Outcome {
        ProxyHeader.parse(bytes.span)
    }

    /// Whole, with bytes after it, and cut at every byte: each beginning is incomplete.
    private static func expectDone(
        _ header: [UInt8], _ source: SocketAddress?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let done = ProxyHeader.Outcome.done(source: source, size: header.count)
        #expect(parse(header) == done, sourceLocation: location)
        #expect(parse(header + request) == done, sourceLocation: location)
        for count in header.indices {
            #expect(
                parse(Array(header[..<count])) == .incomplete, "cut at \(count)",
                sourceLocation: location)
        }
    }

    /// Malformed, whatever follows; once a beginning is malformed, it stays so.
    private static func expectMalformed(
        _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(parse(bytes) == .malformed, sourceLocation: location)
        #expect(parse(bytes + request) == .malformed, sourceLocation: location)
        var wasMalformed = false
        for count in 0...bytes.count {
            let outcome = parse(Array(bytes[..<count]))
            #expect(
                outcome == .malformed || outcome == .incomplete && !wasMalformed, "cut at \(count)",
                sourceLocation: location)
            wasMalformed = outcome == .malformed
        }
    }

    private static func ip(_ text: String, _ port: UInt16) throws -> SocketAddress {
        .ip(try #require(IPAddress(text.utf8)), port: port)
    }

    @Test(
        "§2.1: a line names family, addresses and ports",
        arguments: [
            ("TCP4 192.168.0.1 192.168.0.11 56324 443", "192.168.0.1", 56_324),
            ("TCP4 255.255.255.255 255.255.255.255 65535 65535", "255.255.255.255", 65_535),
            ("TCP4 0.0.0.0 0.0.0.0 0 0", "0.0.0.0", 0),
            ("TCP6 ::1 ::1 1 2", "::1", 1), ("TCP6 2001:DB8::1 :: 51512 80", "2001:db8::1", 51_512),
            ("TCP6 \(longest) \(longest) 65535 65535", longest, 65_535),
            ("TCP6 ::ffff:10.0.0.1 ::ffff:10.0.0.2 1 2", "10.0.0.1", 1),
        ] as [(String, String, UInt16)])
    func line(_ text: String, _ address: String, _ port: UInt16) throws {
        Self.expectDone(Array("PROXY \(text)\r\n".utf8), try Self.ip(address, port))
    }

    @Test(
        "§2.1: UNKNOWN keeps the real peer, whatever the rest of the line says",
        arguments: [
            "UNKNOWN", "UNKNOWN ", "UNKNOWN \(longest) \(longest) 65535 65535",
            "UNKNOWN 1.2.3.4 5.6.7.8 1 2", "UNKNOWN  anything \0 at all",
        ])
    func unknown(_ text: String) {
        Self.expectDone(Array("PROXY \(text)\r\n".utf8), nil)
    }

    @Test(
        "§2.1: what isn't exactly such a line is malformed",
        arguments: [
            "TCP4 1.2.3.4 5.6.7.8 1", "TCP4 1.2.3.4 5.6.7.8 1 2 3", "TCP4 1.2.3.4 5.6.7.8 1 2 ",
            "TCP4  1.2.3.4 5.6.7.8 1 2", "TCP4 1.2.3.4 5.6.7.8  1 2", "TCP4\t1.2.3.4 5.6.7.8 1 2",
            "TCP4 1.2.3.4 5.6.7.8 1\t2", " TCP4 1.2.3.4 5.6.7.8 1 2", "TCP4", "TCP4 ", "", "TCP6 ",
            "TCP5 1.2.3.4 5.6.7.8 1 2", "TCP 1.2.3.4 5.6.7.8 1 2", "tcp4 1.2.3.4 5.6.7.8 1 2",
            "UDP4 1.2.3.4 5.6.7.8 1 2", "TCP46 1.2.3.4 5.6.7.8 1 2", "unknown", "UNKNOWNX",
            "TCP4 ::1 ::1 1 2", "TCP4 1.2.3.4 ::1 1 2", "TCP4 ::ffff:1.2.3.4 5.6.7.8 1 2",
            "TCP6 1.2.3.4 5.6.7.8 1 2", "TCP6 ::1 5.6.7.8 1 2", "TCP6 [::1] [::1] 1 2",
            "TCP6 ::1%1 ::1 1 2", "TCP6 ::1 ::g 1 2", "TCP6 1:2:3:4:5:6:7 ::1 1 2",
            "TCP4 1.2.3 5.6.7.8 1 2", "TCP4 1.2.3.256 5.6.7.8 1 2", "TCP4 01.2.3.4 5.6.7.8 1 2",
            "TCP4 1.2.3.4 5.6.7.08 1 2", "TCP4 1.2.3.4 x 1 2", "TCP4 1.2.3.4:1 5.6.7.8 1 2",
            "TCP4 1.2.3.4 5.6.7.8 65536 2", "TCP4 1.2.3.4 5.6.7.8 1 65536",
            "TCP4 1.2.3.4 5.6.7.8 -1 2", "TCP4 1.2.3.4 5.6.7.8 +1 2", "TCP4 1.2.3.4 5.6.7.8 01 2",
            "TCP4 1.2.3.4 5.6.7.8 1 00", "TCP4 1.2.3.4 5.6.7.8 0x1 2", "TCP4 1.2.3.4 5.6.7.8 a 2",
            "TCP4 1.2.3.4 5.6.7.8 99999 2", "TCP4 1.2.3.4 5.6.7.8 100000 2",
            "TCP4 1.2.3.4 5.6.7.8 1 2\r", "TCP4 1.2.3.4 5.6.7.8 1 2\0", "UNKNOWN a\rb", "UNKNOWN\r",
            "UNKNOWN a\nb", "TCP4 1.2.3.4\n5.6.7.8 1 2", "TCP4 1.2.3.4 5.6.7.8 1 ",
            "TCP4 1.2.3.4 5.6.7.8 1 18446744073709551617", "TCP4 １.2.3.4 5.6.7.8 1 2",
        ])
    func malformedLine(_ text: String) {
        Self.expectMalformed(Array("PROXY \(text)\r\n".utf8))
    }

    @Test(
        "§2.1: neither a lone CR nor a lone LF ends the line",
        arguments: ["PROXY UNKNOWN\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n", "PROXY UNKNOWN a\n\r\n"])
    func lineEnds(_ text: String) {
        Self.expectMalformed(Array(text.utf8))
    }

    @Test("§2.1: a line has 107 bytes at the most")
    func longLine() {
        let filler = String(repeating: "a", count: 107 - 16)
        Self.expectDone(Array("PROXY UNKNOWN \(filler)\r\n".utf8), nil)
        Self.expectMalformed(Array("PROXY UNKNOWN \(filler)a\r\n".utf8))
        Self.expectMalformed(Array("PROXY UNKNOWN \(filler)a\r".utf8))
        #expect(Self.parse(Array("PROXY UNKNOWN \(filler)\r".utf8)) == .incomplete)
    }

    @Test(
        "what begins otherwise is malformed at its first strange byte",
        arguments: [
            "G", "p", " ", "PROXX", "PROXY\t", "PROXYT", "PROXY\r", "PROXY TCP9", "PROXY U1", "\n",
            "\r\r", "\r\nP", "\r\n\r\n\r", "\r\n\r\n\0\r\nQUIT\r", "\r\n\r\n\0\r\nq",
            "\u{16}", "\0",
        ])
    func otherBeginnings(_ text: String) {
        Self.expectMalformed(Array(text.utf8))
        #expect(Self.parse(Array(text.utf8.dropLast())) == .incomplete)
    }

    private static let v4: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 2, 0xC9, 0x38, 0x01, 0xBB]
    private static let v6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        + [UInt8](repeating: 0xFF, count: 16) + [0xFF, 0xFE, 0x00, 0x50]

    @Test(
        "§2.2: TCP and UDP over IPv4 and IPv6 name their source",
        arguments: [
            (0x11, v4, "192.0.2.1", 0xC938), (0x12, v4, "192.0.2.1", 0xC938),
            (0x21, v6, "2001:db8::1", 0xFFFE), (0x22, v6, "2001:db8::1", 0xFFFE),
        ] as [(UInt8, [UInt8], String, UInt16)])
    func binary(_ family: UInt8, _ addresses: [UInt8], _ address: String, _ port: UInt16) throws {
        let source = try Self.ip(address, port)
        Self.expectDone(Self.binary(0x21, family, addresses), source)
        // A TLV, and bytes that are none.
        let tlv: [UInt8] = [0x02, 0x00, 0x01, 0x61]
        Self.expectDone(Self.binary(0x21, family, addresses + tlv), source)
        Self.expectDone(Self.binary(0x21, family, addresses + [0xFF]), source)
    }

    @Test("RFC 4291 §2.5.5.2: a mapped address in a version 2 header is IPv4")
    func binaryMapped() throws {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0, 1]
        let header = Self.binary(0x21, 0x21, mapped + mapped + [0, 1, 0, 2])
        Self.expectDone(header, try Self.ip("10.0.0.1", 1))
    }

    @Test("§2.2: a Unix peer of the proxy has no address", arguments: [0x31, 0x32] as [UInt8])
    func binaryUnix(_ family: UInt8) {
        let names = [UInt8](repeating: 0x2F, count: 216)
        Self.expectDone(Self.binary(0x21, family, names), .unix)
        Self.expectDone(Self.binary(0x21, family, names + [0x04, 0, 0]), .unix)
    }

    @Test(
        "§2.2: LOCAL keeps the real peer and has no family to look at",
        arguments: [0x00, 0x11, 0x21, 0x31, 0x44, 0xFF] as [UInt8])
    func local(_ family: UInt8) {
        Self.expectDone(Self.binary(0x20, family, []), nil)
        Self.expectDone(Self.binary(0x20, family, Self.v4), nil)
        Self.expectDone(Self.binary(0x20, family, [1, 2, 3]), nil)
    }

    @Test(
        "§2.2: an unspecified family or transport keeps the real peer",
        arguments: [0x00, 0x01, 0x02, 0x10, 0x20, 0x30] as [UInt8])
    func unspecified(_ family: UInt8) {
        Self.expectDone(Self.binary(0x21, family, []), nil)
        Self.expectDone(Self.binary(0x21, family, Self.v4), nil)
    }

    @Test("§2.2: other versions, commands, families and transports are refused at once")
    func unassigned() {
        for command in UInt8.min...UInt8.max where command != 0x20 && command != 0x21 {
            #expect(Self.parse(Self.signature + [command]) == .malformed)
        }
        for family in UInt8.min...UInt8.max where family >> 4 > 3 || family & 0xF > 2 {
            #expect(Self.parse(Self.signature + [0x21, family]) == .malformed)
        }
        Self.expectMalformed(Self.binary(0x11, 0x11, Self.v4))
        Self.expectMalformed(Self.binary(0x22, 0x11, Self.v4))
        Self.expectMalformed(Self.binary(0x21, 0x13, Self.v4))
        Self.expectMalformed(Self.binary(0x21, 0x41, Self.v4))
    }

    @Test(
        "§2.2: a header too short for its addresses is malformed before they come",
        arguments: [(0x11, 11), (0x12, 0), (0x21, 35), (0x22, 12), (0x31, 215), (0x32, 0)]
            as [(UInt8, Int)])
    func shortAddresses(_ family: UInt8, _ length: Int) {
        Self.expectMalformed(Self.binary(0x21, family, [UInt8](repeating: 0, count: length)))
        Self.expectMalformed(Self.binary(0x21, family, [], length: length))
    }

    @Test("a version 2 header has 16 + 4096 bytes at the most")
    func longHeader() throws {
        let filler = [UInt8](repeating: 0x61, count: 4096 - 12)
        let longest = Self.binary(0x21, 0x11, Self.v4 + filler)
        let source = try Self.ip("192.0.2.1", 0xC938)
        #expect(Self.parse(longest) == .done(source: source, size: 4112))
        #expect(Self.parse(longest.dropLast()) == .incomplete)
        for command: UInt8 in [0x20, 0x21] {
            Self.expectMalformed(Self.binary(command, 0x11, [], length: 4097))
            Self.expectMalformed(Self.binary(command, 0x00, [], length: 65_535))
        }
    }
}
