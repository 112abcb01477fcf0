// A host name that a certificate can be made for; validated, so that it is safe as a file name too.
// Addresses are left out: TLS never sends one (RFC 6066 §3), so the server can't choose by it.

import SwiftASN1
import Text
import X509

/// A host name in lower case, or a wildcard for names one level below a host name.
package struct DomainName: Hashable, Sendable {
    /// Such as `www.example.com` or `*.example.com`.
    let text: String

    /// The name of the local machine.
    static let localhost = DomainName(checked: "localhost")

    private init(checked text: String) {
        self.text = text
    }

    /// Parses a name (RFC 1123 §2.1); the first label may be `*` (RFC 9525 §6.3).
    ///
    /// International names are accepted in Punycode only. Throws `badDomain`.
    package init(_ text: String) throws(DevelopmentCertificateError) {
        let lowered = text.utf8.map(\.lowercased)
        if let reason = Self.fault(lowered) {
            throw .badDomain(text, reason: reason)
        }
        self.text = String(decoding: lowered, as: UTF8.self)
    }

    /// Parses the base name of a certificate's file; nil if it is not a domain.
    init?(fileName: String) {
        let text = fileName.hasPrefix("_.") ? "*" + fileName.dropFirst() : fileName
        guard let domain = try? DomainName(text), domain.fileName == fileName else { return nil }
        self = domain
    }

    /// The base name of its files: the name, with `_` for `*`.
    var fileName: String { text.hasPrefix("*") ? "_" + text.dropFirst() : text }

    /// The name constraint that permits it, and the names below it (RFC 5280 §4.2.1.10).
    var constraint: String { text.hasPrefix("*.") ? String(text.dropFirst(2)) : text }

    /// 127.0.0.1 and ::1.
    static let loopbackAddresses: [[UInt8]] = [
        [127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1],
    ]

    /// The names that its certificate is valid for; `localhost` includes the loopback addresses.
    var alternativeNames: [GeneralName] {
        guard self == .localhost else { return [.dnsName(text)] }
        return [.dnsName(text)]
            + Self.loopbackAddresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
    }

    /// Whether a host is an address: it contains a colon or ends in a number.
    package static func isAddress(_ host: String) -> Bool {
        let end = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .last
        return host.utf8.contains(UInt8(ascii: ":"))
            || end.map { !$0.isEmpty && $0.allSatisfy(\.isDigit) } == true
    }

    /// The error in a lower-case name; nil if it is valid.
    private static func fault(_ name: [UInt8]) -> String? {
        if name.contains(where: { $0 >= 0x80 }) {
            return "names with other than ASCII letters are written in punycode (xn--…)"
        }
        if !(1...253).contains(name.count) { return "a host name has 1 to 253 characters" }
        if isAddress(String(decoding: name, as: UTF8.self)) {
            return "a certificate is for a host name: leave out scheme and port, and give a name "
                + "in place of an address"
        }
        var labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.first.map({ $0.elementsEqual("*".utf8) }) == true {
            labels.removeFirst()
            if labels.count < 2 {
                return "clients take a wildcard only above two parts, as in *.example.com"
            }
        }
        return labels.lazy.compactMap(fault(label:)).first
    }

    private static func fault(label: ArraySlice<UInt8>) -> String? {
        guard (1...63).contains(label.count) else {
            return "each part between dots has 1 to 63 characters"
        }
        if label.contains(UInt8(ascii: "*")) { return "a * can only be the whole first part" }
        guard label.allSatisfy({ $0.isLowercaseLetter || $0.isDigit || $0 == hyphen }) else {
            return "a host name has letters, digits, hyphens and dots, and nothing around it"
        }
        return label.first == hyphen || label.last == hyphen
            ? "no part may begin or end with a hyphen" : nil
    }

    private static let hyphen = UInt8(ascii: "-")
}
