// The smallest client that the program's own commands need: one request on one connection,
// plain or under TLS. Left out: redirects, keep-alive, streams (what it asks for is sent whole).

import Sockets

/// Sends one request to an HTTP/1.1 server.
package enum Client {
    /// What came back.
    package struct Answer: Sendable {
        /// 100 to 599.
        package let status: Int
        package let body: [UInt8]
    }

    /// Bytes of an answer that are read at the most.
    private static let answerBytes = 64 * 1024 * 1024

    /// Sends a request and reads the answer until the server closes.
    ///
    /// - Parameters:
    ///   - url: `http://host[:port]/path?query`, or `https://…`.
    ///   - form: a body of type `application/x-www-form-urlencoded`; nil sends none.
    ///   - authorities: certificates (PEM) that a server's is checked against; nil for the system's.
    ///   - milliseconds: for connecting, and again for everything else.
    ///
    /// Throws a sentence that says what went wrong.
    package static func send(
        _ method: Request.Method, to url: String, form: [UInt8]? = nil,
        trusting authorities: [UInt8]? = nil, within milliseconds: UInt64 = 10_000
    ) async throws(ClientError) -> Answer {
        let place = try Place(url)
        var head = "\(method.rawValue) \(place.target) HTTP/1.1\r\nHost: \(place.authority)\r\n"
        head += "Connection: close\r\nAccept: application/json\r\nUser-Agent: landfall\r\n"
        if let form {
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
            head += "Content-Length: \(form.count)\r\n"
        }
        let message = Array((head + "\r\n").utf8) + (form ?? [])
        do throws(SocketError) {
            let loop = try EventLoop(name: "client")
            defer { loop.stop() }
            let accepted = try AcceptedSocket(
                connectingTo: place.host, port: place.port,
                within: Int32(clamping: milliseconds))
            let tls = place.isSecure ? try context(trusting: authorities) : nil
            return try await exchange(message, accepted, loop, milliseconds, place, tls)
        } catch {
            throw ClientError("\(place.authority) can't be reached: \(error).")
        }
    }

    private static func context(
        trusting authorities: [UInt8]?
    ) throws(SocketError) -> TLSClientContext {
        do throws(TLSError) {
            return try TLSClientContext(trusting: authorities)
        } catch {
            throw .tls(reason: "\(error)")
        }
    }

    private static func exchange(
        _ message: [UInt8], _ accepted: AcceptedSocket, _ loop: EventLoop,
        _ milliseconds: UInt64, _ place: Place, _ tls: TLSClientContext?
    ) async throws(SocketError) -> Answer {
        let task = Task(executorPreference: loop) { () -> Result<Answer, SocketError> in
            do throws(SocketError) {
                var socket = try Socket(adopting: accepted, on: loop)
                var input = ReadBuffer()
                let deadline = loop.now + milliseconds
                if let tls { try await socket.startTLS(tls, host: place.host, until: deadline) }
                let pace = WritePace(stallMilliseconds: milliseconds, bytesPerSecond: 1)
                try await socket.write(message, pace: pace)
                while input.count < answerBytes,
                    try await socket.read(into: &input, until: deadline) > 0
                {}
                var bytes: [UInt8] = []
                input.move(input.count, to: &bytes)
                guard let answer = Answer(bytes) else { throw .disconnected }
                return .success(answer)
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }
}

/// A sentence about a request that could not be made.
package struct ClientError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Client.Answer {
    /// Splits a whole response; nil when it is none.
    init?(_ bytes: [UInt8]) {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.starts(with: "HTTP/1.1 ".utf8), bytes.count > 12,
            let status = Int(String(decoding: bytes[9..<12], as: UTF8.self)),
            let split = bytes.indices.first(where: { bytes[$0...].starts(with: end) })
        else { return nil }
        self.status = status
        body = Array(bytes[(split + end.count)...])
    }
}

extension Client {
    /// Where a URL leads.
    struct Place: Equatable {
        let host: String
        let port: UInt16
        let authority: String
        let target: String

        let isSecure: Bool

        /// Takes `http` and `https` URLs apart (RFC 9110 §4.2).
        init(_ url: String) throws(ClientError) {
            let scheme = url.prefix { $0 != ":" }
            isSecure = scheme.lowercased() == "https"
            guard isSecure || scheme.lowercased() == "http",
                url.dropFirst(scheme.count).hasPrefix("://")
            else { throw ClientError("\(url) is no URL that begins with http:// or https://.") }
            let rest = url.dropFirst(scheme.count + 3).prefix { $0 != "#" }
            let text = rest.prefix { $0 != "/" && $0 != "?" }
            guard let authority = Authority(Array(text.utf8)[...]) else {
                throw ClientError("\(url) names no host.")
            }
            let path = rest.dropFirst(text.count)
            target = path.hasPrefix("/") ? String(path) : "/" + path
            self.authority = String(text)
            host = String(decoding: authority.host, as: UTF8.self)
            port = authority.port ?? (isSecure ? 443 : 80)
        }
    }
}
