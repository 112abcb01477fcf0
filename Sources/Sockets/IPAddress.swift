// IP addresses as values: parsed strictly, compared as numbers, with one text form.
//
// Invariant: an IPv4-mapped IPv6 address is an IPv4 address here. So a rule for 10.0.0.0/8 also
// applies to a peer that a dual-stack listener reports as ::ffff:10.0.0.1. Left out: zones.

import Text

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
    /// Whether this is an IPv4 address.
    package let isIPv4: Bool

    /// The address as a number, its first octet the highest; IPv4 uses the low 32 bits.
    let bits: UInt128

    /// ::ffff:0:0/96, the IPv4-mapped addresses (RFC 4291 §2.5.5.2).
    private static let mappedPrefix: UInt128 = 0xFFFF

    /// 64:ff9b::/96, IPv4 addresses behind a gateway (RFC 6052 §2.1).
    private static let translationPrefix = UInt128(0x64_FF9B) << 64

    /// Characters of the longest text, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`.
    private static let longestText = 45

    /// Makes an IPv4 address; 127.0.0.1 is `0x7F00_0001`.
    package init(v4: UInt32) {
        isIPv4 = true
        bits = UInt128(v4)
    }

    /// Makes an IPv6 address from its first and last eight octets; a mapped one becomes IPv4.
    package init(high: UInt64, low: UInt64) {
        self.init(v6: UInt128(high) << 64 | UInt128(low))
    }

    private init(v6 bits: UInt128) {
        isIPv4 = bits >> 32 == Self.mappedPrefix
        self.bits = isIPv4 ? bits & 0xFFFF_FFFF : bits
    }

    /// Parses `IPv4address` or `IPv6address` of RFC 3986 §3.2.2; nil for anything else.
    ///
    /// Four decimal numbers without leading zeros, or hexadecimal groups with an optional `::` and
    /// an IPv4 address in place of the last two. No brackets, no zone, no blanks. O(1).
    package init?(_ text: some Collection<UInt8>) {
        let octets = Array(text.prefix(Self.longestText + 1))
        guard octets.count <= Self.longestText else { return nil }
        if octets.contains(UInt8(ascii: ":")) {
            guard let bits = Self.v6(octets[...]) else { return nil }
            self.init(v6: bits)
        } else {
            guard let bits = Self.v4(octets[...]) else { return nil }
            self.init(v4: bits)
        }
    }

    /// Whether the address is in 127.0.0.0/8 or is ::1 (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    package var isLoopback: Bool { isIPv4 ? bits >> 24 == 127 : bits == 1 }

    /// The address itself, or the IPv4 address in the last 32 bits of one in 64:ff9b::/96, which
    /// gateways translate to it (RFC 6052 §2.1).
    package var translated: IPAddress {
        guard !isIPv4, bits >> 32 == Self.translationPrefix else { return self }
        return IPAddress(v4: UInt32(truncatingIfNeeded: bits))
    }

    /// The network that one subscriber has: an IPv4 address, or an IPv6 address without its last 64
    /// bits, which the subscriber chooses (RFC 4291 §2.5.4).
    package var network: IPAddress { isIPv4 ? self : IPAddress(v6: (bits >> 64) << 64) }

    private static func v4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard let octet = decimal(part, digits: 3), octet <= 255 else { return nil }
            bits = bits << 8 | UInt32(octet)
        }
        return bits
    }

    /// Parses group by group.
    ///
    /// The position of `::` is remembered as the number of groups before it; at the end, the groups
    /// after it are moved to their place.
    private static func v6(_ text: ArraySlice<UInt8>) -> UInt128? {
        let colon = UInt8(ascii: ":")
        var rest = text
        var bits: UInt128 = 0
        var groups = 0
        var groupsBeforeGap: Int?
        if rest.starts(with: "::".utf8) {
            groupsBeforeGap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != colon }
            rest = rest[piece.endIndex...]
            if rest.isEmpty, piece.contains(UInt8(ascii: ".")) {
                guard let tail = v4(piece) else { return nil }
                bits = bits << 32 | UInt128(tail)
                groups += 2
            } else {
                guard let group = hexadecimal(piece) else { return nil }
                bits = bits << 16 | UInt128(group)
                groups += 1
            }
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == colon {
                guard groupsBeforeGap == nil else { return nil }
                groupsBeforeGap = groups
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        guard let groupsBeforeGap else { return groups == 8 ? bits : nil }
        // Every form with `::` has seven groups or fewer, because `::` replaces at least one.
        guard groups <= 7 else { return nil }
        let tailBits = UInt128(16 * (groups - groupsBeforeGap))
        let head = bits >> tailBits
        let tail = bits & ~(UInt128.max << tailBits)
        return head << UInt128(128 - 16 * groupsBeforeGap) | tail
    }

    /// One to four hexadecimal digits, in either case.
    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(text.count) else { return nil }
        var number: UInt16 = 0
        for octet in text {
            guard let digit = octet.hexadecimalValue else { return nil }
            number = number << 4 | UInt16(digit)
        }
        return number
    }

    /// A decimal number of up to `digits` ASCII digits (at most four), without leading zeros.
    static func decimal(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
        guard (1...digits).contains(text.count), text.count == 1 || text.first != 0x30 else {
            return nil
        }
        var number = 0
        for octet in text {
            guard octet.isDigit else { return nil }
            number = number * 10 + Int(octet - 0x30)
        }
        return number
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the canonical text of RFC 5952 §4: lowercase letters, no leading zeros,
    /// `::` for the first of the longest runs of two or more zero groups.
    package var description: String {
        if isIPv4 {
            var text: [UInt8] = []
            appendIPv4(to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        let groups = (0..<8).map { bits >> UInt128(112 - 16 * $0) & 0xFFFF }
        let gap = Self.longestZeroRun(groups)
        func text(_ groups: ArraySlice<UInt128>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard gap.count >= 2 else { return text(groups[...]) }
        return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
    }

    /// Appends an IPv4 address in dotted decimal.
    func appendIPv4(to text: inout [UInt8]) {
        let octets = Int(truncatingIfNeeded: bits)
        for shift in stride(from: 24, through: 0, by: -8) {
            if shift < 24 { text.append(UInt8(ascii: ".")) }
            text.append(decimal: octets >> shift & 0xFF)
        }
    }

    private static func longestZeroRun(_ groups: [UInt128]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}
