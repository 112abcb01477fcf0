// A callback as a launch link names it: a partner's URL, custom scheme or Android activity.
//
// Invariant: the text is ASCII without spaces or control characters, so it is safe in a header
// field. Nothing is decoded or corrected. Left out: whether a host is allowed, which the
// configuration decides.

import LinkPatterns
import Text

/// A partner's callback, as its launch link names it.
public struct CallbackURL: Sendable, Equatable, CustomStringConvertible {
    /// The uses of a callback.
    public enum Kind: String, Sendable {
        /// `http` or `https`, with a host: it can be requested.
        case web
        /// An app's own scheme: it can be a link on a page.
        case custom
        /// An Android `package/activity` (vendor document 2.1), which no link can open.
        case component
        /// A scheme that runs script or reads files: never to be opened or shown as a link.
        case refused
    }

    /// Why a text is not a callback.
    public struct Fault: Error, Equatable {
        /// Byte offset in the text, from 0.
        public let offset: Int
        /// What would be valid, for people.
        public let expected: String
        /// What was found, for people; at most a short excerpt of the text.
        public let found: String
    }

    /// How it can be used.
    public let kind: Kind

    /// The scheme in lower case; nil for an Android activity.
    public let scheme: String?

    /// The host in lower case, IPv6 addresses in brackets; nil without `//`.
    public let host: String?

    /// The callback as it was written.
    public let description: String

    /// Parses a callback, in O(length).
    ///
    /// Throws unless it is a whole URL (RFC 3986) or `package/activity`: for characters invalid in
    /// a URL, broken percent-encoding, no scheme, or a web URL without a host or with an invalid
    /// port.
    public init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        if let fault = Self.firstFault(in: bytes) { throw fault }
        let url = LinkURL(utf8: bytes)
        description = text
        guard let scheme = url.scheme?.lowercased() else {
            guard Self.isComponent(bytes) else {
                throw Fault(
                    offset: 0, expected: "a whole URL, with its scheme",
                    found: bytes.isEmpty
                        ? "nothing" : Excerpt.quoted(Redaction.redactTarget(bytes)[...]))
            }
            (kind, self.scheme, host) = (.component, nil, nil)
            return
        }
        self.scheme = scheme
        host = url.host?.lowercased()
        if Self.isRefused(scheme) {
            kind = .refused
        } else if url.isWebLink {
            try Self.requireHost(url)
            kind = .web
        } else {
            kind = .custom
        }
    }

    /// Whether it is `http` to a host other than this machine, which others can intercept.
    public var isExposed: Bool { scheme == "http" && !isLocal }

    /// Whether it is a web URL of this machine, by a name or address that always means it.
    public var isLocal: Bool {
        guard kind == .web, let host else { return false }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 < UInt8(ascii: "a") })
    }

    /// Whether a scheme runs script or reads files.
    static func isRefused(_ scheme: String) -> Bool {
        refusedSchemes.contains(scheme.lowercased())
    }

    /// Schemes that browsers treat as script, local files or their own pages.
    private static let refusedSchemes: Set = [
        "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]

    /// The first character that is invalid in a URL, or the first broken `%`.
    private static func firstFault(in bytes: [UInt8]) -> Fault? {
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                if PercentEncoding.octet(bytes.span, at: index, end: bytes.count) != nil {
                    continue
                }
                return Fault(
                    offset: index, expected: "% and two hexadecimal digits",
                    found: Excerpt.quoted(bytes[index..<min(index + 3, bytes.count)]))
            }
            if byte <= 0x20 || byte >= 0x7F || forbidden.contains(byte) {
                return Fault(
                    offset: index, expected: "a character that URLs may have",
                    found: Excerpt.byte(bytes[index...]))
            }
        }
        return nil
    }

    /// Printable characters that RFC 3986 §2 doesn't allow.
    private static let forbidden = Array("\"<>\\^`{|}".utf8)

    private static func requireHost(_ url: LinkURL) throws(Fault) {
        let offset = (url.scheme?.utf8.count ?? 0) + 1
        let host = Array((url.host ?? "").utf8)
        guard !host.isEmpty else {
            throw Fault(offset: offset, expected: "// and a host", found: "none")
        }
        let isAddress = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        let isName = host.allSatisfy { isNamed($0) || $0 == UInt8(ascii: "-") }
        guard isAddress || isName else {
            throw Fault(offset: offset + 2, expected: "a host", found: Excerpt.quoted(host[...]))
        }
        guard let port = url.port else { return }
        guard port.utf8.allSatisfy(\.isDigit), UInt16(port) != nil else {
            throw Fault(
                offset: offset + 2, expected: "a port up to 65535",
                found: Excerpt.quoted(Array(port.utf8)[...]))
        }
    }

    /// Whether the text is a package with at least one dot, a slash and a class.
    private static func isComponent(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let package = parts.first, let activity = parts.last,
            package.contains(UInt8(ascii: ".")), !activity.isEmpty
        else { return false }
        let words = package.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return words.allSatisfy { $0.first?.isLetter ?? false }
            && package.allSatisfy(isNamed)
            && activity.allSatisfy { isNamed($0) || $0 == UInt8(ascii: "$") }
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
}
