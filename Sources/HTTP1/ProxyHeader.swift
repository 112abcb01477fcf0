// Parses the header that a proxy sends at the beginning of a connection to name its client:
// HAProxy's PROXY protocol, versions 1 and 2 (proxy-protocol.txt, §2.1 and §2.2).
//
// Invariant: nothing is guessed. The configuration says whether a header is expected, and a
// connection without an expected header is malformed. Left out: the destination, and the content of
// TLVs.

import Sockets
import Text

/// A parser of PROXY headers.
enum ProxyHeader {
    /// The result of parsing the beginning of a connection.
    enum Outcome: Sendable, Equatable {
        /// A header that takes the first `size` bytes.
        ///
        /// The source is nil if the proxy connects for itself or doesn't know its client (LOCAL,
        /// UNKNOWN, UNSPEC); the connected peer is then the source.
        case done(source: SocketAddress?, size: Int)
        /// More bytes are needed.
        case incomplete
        /// Not a header, whatever follows: close the connection without a response.
        case malformed
    }

    /// Maximum bytes of a version 1 line with its CRLF, as the protocol defines it.
    private static let lineBytes = 107

    /// Maximum bytes of addresses and TLVs, after the 16 that every version 2 header has.
    ///
    /// The protocol allows 65,535. Real headers, even with a client's certificate name, need some
    /// hundreds.
    private static let variableBytes = Limits.proxyHeaderBytes - fixedBytes

    private static let fixedBytes = 16
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let unknown = Array("PROXY UNKNOWN".utf8)
    private static let lineBeginnings = [
        Array("PROXY TCP4 ".utf8), Array("PROXY TCP6 ".utf8), unknown,
    ]

    /// Parses the header at the beginning of all bytes that have arrived.
    ///
    /// Returns `malformed` as soon as no further byte can make it valid. O(header).
    static func parse(_ bytes: Span<UInt8>) -> Outcome {
        if agrees(bytes, with: signature) { return parseBinary(bytes) }
        for beginning in lineBeginnings where agrees(bytes, with: beginning) {
            return parseLine(bytes)
        }
        return .malformed
    }

    /// Whether `bytes` begin with `expected`, as far as they have arrived.
    private static func agrees(_ bytes: Span<UInt8>, with expected: [UInt8]) -> Bool {
        for index in 0..<min(bytes.count, expected.count) where bytes[index] != expected[index] {
            return false
        }
        return true
    }

    /// Version 1 (§2.1): `PROXY TCP4 192.0.2.1 192.0.2.2 51512 443` CRLF.
    private static func parseLine(_ bytes: Span<UInt8>) -> Outcome {
        var line: [UInt8] = []
        var index = 0
        while index < bytes.count, index < lineBytes, bytes[index] != 0x0A {
            line.append(bytes[index])
            index += 1
        }
        guard index < lineBytes else { return .malformed }
        guard index < bytes.count else { return .incomplete }
        // CRLF ends the line; CR or LF alone is invalid.
        guard line.popLast() == 0x0D, !line.contains(0x0D) else { return .malformed }
        let size = index + 1
        if line.starts(with: unknown) {
            let rest = line.dropFirst(unknown.count)
            return rest.isEmpty || rest.first == 0x20
                ? .done(source: nil, size: size) : .malformed
        }
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 6 else { return .malformed }
        let isIPv4 = words[1].last == UInt8(ascii: "4")
        guard let source = address(words[2], isIPv4: isIPv4),
            address(words[3], isIPv4: isIPv4) != nil, let sourcePort = port(words[4]),
            port(words[5]) != nil
        else { return .malformed }
        return .done(source: .ip(source, port: sourcePort), size: size)
    }

    /// An address of the family in the line; an IPv4-mapped IPv6 address is IPv6 here.
    private static func address(_ text: ArraySlice<UInt8>, isIPv4: Bool) -> IPAddress? {
        text.contains(UInt8(ascii: ":")) == isIPv4 ? nil : IPAddress(text)
    }

    /// 0 to 65535 in decimal, without leading zeros.
    private static func port(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard (1...5).contains(text.count), text.allSatisfy(\.isDigit),
            text.count == 1 || text.first != UInt8(ascii: "0")
        else { return nil }
        return UInt16(exactly: text.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// Version 2 (§2.2): the signature, four bytes about what follows, addresses, TLVs.
    private static func parseBinary(_ bytes: Span<UInt8>) -> Outcome {
        guard bytes.count > 12 else { return .incomplete }
        // Version 2, and one of the commands LOCAL and PROXY.
        guard bytes[12] == 0x20 || bytes[12] == 0x21 else { return .malformed }
        guard bytes.count > 13 else { return .incomplete }
        let isLocal = bytes[12] == 0x20
        let (family, transport) = (bytes[13] >> 4, bytes[13] & 0xF)
        // LOCAL has no family to check.
        guard isLocal || family <= 3 && transport <= 2 else { return .malformed }
        guard bytes.count >= fixedBytes else { return .incomplete }
        let length = Int(number(bytes, 14..<16))
        let names = !isLocal && transport != 0
        let addressBytes =
            switch family {
            case 1 where names: 12
            case 2 where names: 36
            case 3 where names: 216
            default: 0
            }
        guard length >= addressBytes, length <= variableBytes else { return .malformed }
        let size = fixedBytes + length
        guard bytes.count >= size else { return .incomplete }
        let source: SocketAddress? =
            switch addressBytes {
            case 12:
                .ip(
                    IPAddress(v4: UInt32(truncatingIfNeeded: number(bytes, 16..<20))),
                    port: UInt16(truncatingIfNeeded: number(bytes, 24..<26)))
            case 36:
                .ip(
                    IPAddress(high: number(bytes, 16..<24), low: number(bytes, 24..<32)),
                    port: UInt16(truncatingIfNeeded: number(bytes, 48..<50)))
            case 216: .unix
            default: nil
            }
        return .done(source: source, size: size)
    }

    /// Up to eight octets in network byte order.
    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for index in range { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}
