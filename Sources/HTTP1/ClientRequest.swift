// What a client sends.

/// A request on a connection of its own.
package struct ClientRequest: Sendable {
    /// What follows the head.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Parts that are sent as they come, in chunks, once the server says that it wants them.
        case parts(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    package let method: Request.Method

    /// `http://host[:port]/path?query`, or `https://…`.
    package let url: String

    /// Field lines besides those that say where the request goes and how long it is; octets that
    /// can't be in a value become `?`.
    package var fields: [(name: String, value: String)]

    package var body = Body.none

    /// Certificates (PEM) that a server's is checked against; nil for the system's.
    package var authorities: [UInt8]?

    /// Milliseconds for connecting, and again for each time that the server lets wait for it.
    package var milliseconds: UInt64 = 10_000

    /// Makes a request without a body.
    package init(
        _ method: Request.Method, _ url: String, fields: [(name: String, value: String)] = [],
        trusting authorities: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.authorities = authorities
    }

    /// The head as it is sent to `place` (RFC 9112 §3 and §5).
    func head(for place: Client.Place) -> [UInt8] {
        var lines: [(name: String, value: String)] = [
            ("Host", place.authority), ("Connection", "close"), ("User-Agent", "landfall"),
        ]
        lines += fields
        switch body {
        case .none: if method != .get { lines.append(("Content-Length", "0")) }
        case .bytes(let bytes): lines.append(("Content-Length", "\(bytes.count)"))
        case .parts: lines += [("Transfer-Encoding", "chunked"), ("Expect", "100-continue")]
        }
        var head = Array("\(method.rawValue) \(place.target) HTTP/1.1\r\n".utf8)
        for line in lines {
            head += "\(line.name): ".utf8
            head += line.value.utf8.map { $0 >= 0x20 && $0 != 0x7F ? $0 : UInt8(ascii: "?") }
            head += "\r\n".utf8
        }
        return head + "\r\n".utf8
    }
}
