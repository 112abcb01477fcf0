// A request of the client, with its limits.

import Sockets

/// Decides whether a request may connect to an address that its host's name resolved to.
///
/// Called on the client's thread before each connection attempt; it must not block.
package typealias AddressPolicy = @Sendable (IPAddress) -> Bool

/// A request on a connection of its own.
package struct ClientRequest: Sendable {
    /// The supported methods (RFC 9110 §9, RFC 5789).
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case patch = "PATCH"
    }

    /// The request's body.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Parts that are sent in chunks as they arrive, once the server accepts them
        /// (RFC 9110 §10.1.1).
        case parts(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    let method: Method

    /// `http://host[:port]/path?query`, or `https://…`.
    package let url: String

    /// Field lines besides those for the destination and the length; octets that are invalid in a
    /// value become `?`.
    package var fields: [(name: String, value: String)]

    package var body = Body.none

    /// Certificates (PEM) to verify the server's with; nil for the system's.
    package var authorities: [UInt8]?

    /// Whether the server's certificate must be trusted and name its host; only checks of a
    /// server's other behaviour may do without.
    package var verifiesServer = true

    /// Whether the connection begins with a PROXY header (version 1) that names its own ends, for a
    /// server that expects one from its proxy.
    package var sendsProxyHeader = false

    /// Maximum time for resolving the name and connecting, in milliseconds.
    package var connectMilliseconds: UInt64 = 10_000

    /// Maximum time without progress in either direction, in milliseconds.
    package var stallMilliseconds: UInt64 = 10_000

    /// Maximum time for the whole exchange, in milliseconds; nil for no limit.
    package var totalMilliseconds: UInt64?

    /// Which addresses the request may connect to; nil for all.
    package var mayConnect: AddressPolicy?

    /// Makes a request without a body.
    package init(
        _ method: Method, _ url: String, fields: [(name: String, value: String)] = [],
        trusting authorities: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.authorities = authorities
    }

    /// Sets one limit for connecting, and for each wait for the server.
    package mutating func limitWaits(to milliseconds: UInt64) {
        connectMilliseconds = milliseconds
        stallMilliseconds = milliseconds
    }

    /// The field lines in libcurl's syntax: `Name;` has an empty value, and `Name:` removes one of
    /// libcurl's own.
    func lines(for place: RequestPlace) -> [String] {
        var lines = ["Host: \(place.authority)", "Connection: close"]
        if !fields.contains(where: { $0.name.lowercased() == "user-agent" }) {
            lines.append("User-Agent: landfall")
        }
        for field in fields {
            // RFC 9110 §5.5: a tab is the one control character that a value may have.
            let value = field.value.utf8.map { octet in
                octet >= 0x20 && octet != 0x7F || octet == 0x09 ? octet : UInt8(ascii: "?")
            }
            let isBlank = value.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(
                field.name + (isBlank ? ";" : ": " + String(decoding: value, as: UTF8.self)))
        }
        for name in ["Accept", "Content-Type"] {
            let isSet = fields.contains { $0.name.lowercased() == name.lowercased() }
            if !isSet { lines.append(name + ":") }
        }
        if case .parts = body {
            lines += ["Transfer-Encoding: chunked", "Expect: 100-continue"]
        } else {
            lines.append("Expect:")
        }
        return lines
    }
}
