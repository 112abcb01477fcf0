// What the client sends, and what it may cost.

import Sockets

/// Decides whether a request may connect to an address that its host's name led to.
///
/// Called on the client's thread for each address before a connection to it is begun: it must not
/// wait.
package typealias AddressPolicy = @Sendable (IPAddress) -> Bool

/// A request on a connection of its own.
package struct ClientRequest: Sendable {
    /// The methods that are used (RFC 9110 §9).
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What follows the head.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Parts that are sent as they come, in chunks, once the server says that it wants them
        /// (RFC 9110 §10.1.1).
        case parts(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    package let method: Method

    /// `http://host[:port]/path?query`, or `https://…`.
    package let url: String

    /// Field lines besides those that say where the request goes and how long it is; octets that
    /// can't be in a value become `?`.
    package var fields: [(name: String, value: String)]

    package var body = Body.none

    /// Certificates (PEM) that a server's is checked against; nil for the system's.
    package var authorities: [UInt8]?

    /// Milliseconds for resolving the name and connecting.
    package var connectMilliseconds: UInt64 = 10_000

    /// Milliseconds for which the server may take nothing and send nothing.
    package var stallMilliseconds: UInt64 = 10_000

    /// Milliseconds for everything together; nil for no such limit.
    package var totalMilliseconds: UInt64?

    /// Where the request may connect to; nil for everywhere.
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

    /// One limit for connecting, and again for each time that the server lets wait for it.
    package mutating func limitWaits(to milliseconds: UInt64) {
        connectMilliseconds = milliseconds
        stallMilliseconds = milliseconds
    }

    /// The field lines as libcurl takes them: `Name;` has an empty value, and `Name:` takes one of
    /// libcurl's own away.
    func lines(for place: RequestPlace) -> [String] {
        var lines = ["Host: \(place.authority)", "Connection: close", "User-Agent: landfall"]
        for field in fields {
            let value = field.value.utf8.map { $0 >= 0x20 && $0 != 0x7F ? $0 : UInt8(ascii: "?") }
            let isBlank = value.allSatisfy { $0 == 0x20 }
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
