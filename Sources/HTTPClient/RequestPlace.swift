// Parses a URL into the place that a request connects to, and its target there.
//
// Invariant: libcurl gets the scheme, host and port that were parsed here, so that the address that
// a policy has checked is the one that is connected to.

import Sockets

/// The parts of a request's URL.
package struct RequestPlace: Equatable {
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: UInt16
    let isSecure: Bool

    /// Host and port as in the URL.
    let authority: String

    /// Path and query as in the URL; `/` if there is no path.
    let target: String

    /// The URL without path and query, in the form for libcurl.
    var origin: String {
        "\(isSecure ? "https" : "http")://\(host.urlHost):\(port)"
    }

    /// Parses `http` and `https` URLs (RFC 9110 §4.2).
    ///
    /// Throws `invalidURL` for other URLs, and for a URL without a valid host, with userinfo or
    /// with invalid bytes. The error doesn't repeat the URL, whose parts may be credentials.
    package init(_ url: String) throws(ClientError) {
        let scheme = url.prefix { $0 != ":" }
        isSecure = scheme.lowercased() == "https"
        guard isSecure || scheme.lowercased() == "http",
            url.dropFirst(scheme.count).hasPrefix("://")
        else {
            throw .invalidURL("The URL doesn't begin with http:// or https://.")
        }
        let rest = url.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let text = rest.prefix { $0 != "/" && $0 != "?" }
        guard !text.contains("@") else {
            throw .invalidURL("A URL with a user name or password isn't supported.")
        }
        guard let (host, port) = Self.split(text) else {
            throw .invalidURL("The URL has no valid host.")
        }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .invalidURL("The URL has blanks or control characters.")
        }
        let path = rest.dropFirst(text.count)
        target = path.hasPrefix("/") ? String(path) : "/" + path
        authority = String(text)
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }

    /// A URL for messages: without user name, password, query and fragment, which may be secret.
    package static func shown(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else {
            // Without an authority, an `@` may follow a password.
            let text = url.prefix { $0 != "?" && $0 != "#" }
            return url.contains("@") ? "The text" : String(text)
        }
        let rest = url[start...]
        let authority = rest.prefix { $0 != "/" }
        let scheme = String(url[..<start])
        guard authority.contains("@") else {
            return scheme + rest.prefix { $0 != "?" && $0 != "#" }
        }
        // Readers disagree about where the authority ends.
        if authority.contains(where: { $0 == "?" || $0 == "#" }) { return scheme + "…" }
        let host = authority.reversed().prefix { $0 != "@" }.reversed()
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        return scheme + String(host) + path
    }

    /// Splits `host [":" port]` (RFC 3986 §3.2); nil for anything else.
    private static func split(_ text: Substring) -> (host: String, port: UInt16?)? {
        let host: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            host = text.dropFirst().prefix { $0 != "]" }
            rest = text.dropFirst(host.count + 1)
            guard rest.hasPrefix("]"), host.contains(":"), IPAddress(Array(host.utf8)) != nil
            else { return nil }
            rest = rest.dropFirst()
        } else {
            host = text.prefix { $0 != ":" }
            rest = text.dropFirst(host.count)
            guard !host.isEmpty, host.utf8.allSatisfy(isHostOctet) else { return nil }
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if digits.isEmpty { return (String(host), nil) }
        guard let port = UInt16(digits) else { return nil }
        return (String(host), port)
    }

    /// Whether an octet is allowed in a name that DNS can resolve; non-ASCII octets are for IDNA.
    private static func isHostOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
