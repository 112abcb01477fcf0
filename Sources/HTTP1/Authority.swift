// `host [":" port]` as in a Host field or a request target, checked against RFC 3986. Left out:
// userinfo, which RFC 9110 §4.2.4 tells servers to reject.

import Sockets
import Text

/// A host with an optional port.
package struct Authority {
    /// The host as written, without the brackets of an IP literal; never empty.
    package let host: ArraySlice<UInt8>

    /// 0 to 65535; nil if there is no port, or an empty one after the colon (RFC 3986 §3.2.3).
    package let port: UInt16?

    /// Parses `host [":" port]`; nil if it is invalid (RFC 3986 §3.2.2, RFC 9110 §4.2.1).
    ///
    /// O(size).
    package init?(_ text: ArraySlice<UInt8>) {
        let rest: ArraySlice<UInt8>
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[(text.startIndex + 1)..<end]
            guard IPAddress(host) != nil && host.contains(UInt8(ascii: ":")) || Self.isFuture(host)
            else { return nil }
            rest = text[(end + 1)...]
        } else {
            let size = OctetSet.registeredName.end(in: text.span, from: 0, to: text.count)
            host = text.prefix(size)
            rest = text.dropFirst(size)
            guard !host.isEmpty, Self.hasWholeTriplets(host) else { return nil }
        }
        guard let colon = rest.first else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isDigit) else {
            return nil
        }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard number <= 65_535 else { return nil }
        port = digits.isEmpty ? nil : UInt16(number)
    }

    /// A host that a person wrote, as `Request.host` spells it: in lower case, without brackets and
    /// trailing dot, an IPv6 address in its usual form (RFC 5952 §4).
    ///
    /// Nil for what no request to a real host has: a port, a wildcard, an empty label, or characters
    /// other than letters, digits, hyphens and underscores.
    package static func hostName(_ text: String) -> String? {
        let isLiteral = text.hasPrefix("[") && text.hasSuffix("]")
        let octets = Array((isLiteral ? text.dropFirst().dropLast() : text[...]).utf8)
        if isLiteral || octets.contains(UInt8(ascii: ":")) {
            guard let address = IPAddress(octets), !address.isIPv4 else { return nil }
            return address.description
        }
        let name = RequestHead.name(of: octets[...])
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
        }
        return isName ? name : nil
    }

    /// `IPvFuture` of RFC 3986 §3.2.2: `v`, hexadecimal digits, a dot, and at least one character.
    private static func isFuture(_ literal: ArraySlice<UInt8>) -> Bool {
        guard literal.first?.lowercased == UInt8(ascii: "v") else { return false }
        let version = literal.dropFirst().prefix { $0.hexadecimalValue != nil }
        let rest = literal[version.endIndex...]
        return !version.isEmpty && rest.first == UInt8(ascii: ".") && rest.count > 1
            && rest.dropFirst().allSatisfy(OctetSet.futureAddress.contains)
    }

    private static func hasWholeTriplets(_ text: ArraySlice<UInt8>) -> Bool {
        let percent = UInt8(ascii: "%")
        var index = text.startIndex + text.span.place(of: percent, from: 0, to: text.count)
        while index < text.endIndex {
            if text[index] == percent {
                guard index + 2 < text.endIndex, text[index + 1].hexadecimalValue != nil,
                    text[index + 2].hexadecimalValue != nil
                else { return false }
                index += 2
            }
            index += 1
        }
        return true
    }
}
