// The smallest client that the program's own commands need: one request on one connection. Left
// out: TLS, redirects, keep-alive, chunked responses (this server sends none).

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
    ///   - url: `http://host[:port]/path?query`.
    ///   - form: a body of type `application/x-www-form-urlencoded`; nil sends none.
    ///   - milliseconds: for connecting none, for everything else so many.
    ///
    /// Throws a sentence that says what went wrong.
    package static func send(
        _ method: Request.Method, to url: String, form: [UInt8]? = nil,
        within milliseconds: UInt64 = 10_000
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
            let accepted = try AcceptedSocket(connectingTo: place.host, port: place.port)
            return try await exchange(message, accepted, loop, milliseconds)
        } catch {
            throw ClientError("\(place.authority) can't be reached: \(error).")
        }
    }

    private static func exchange(
        _ message: [UInt8], _ accepted: AcceptedSocket, _ loop: EventLoop, _ milliseconds: UInt64
    ) async throws(SocketError) -> Answer {
        let task = Task(executorPreference: loop) { () -> Result<Answer, SocketError> in
            do throws(SocketError) {
                let socket = try Socket(adopting: accepted, on: loop)
                var input = ReadBuffer()
                let deadline = loop.now + milliseconds
                try await socket.write(message, stallLimit: milliseconds)
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

        /// Takes `http` URLs apart (RFC 9110 §4.2.1).
        init(_ url: String) throws(ClientError) {
            guard url.lowercased().hasPrefix("http://") else {
                throw ClientError("\(url) is no URL that begins with http://.")
            }
            let rest = url.dropFirst("http://".count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            guard Request.isAuthority(Array(authority.utf8)[...]) else {
                throw ClientError("\(url) names no host.")
            }
            let path = rest.dropFirst(authority.count)
            target = path.hasPrefix("/") ? String(path) : "/" + path
            self.authority = String(authority)
            let isLiteral = authority.hasPrefix("[")
            let name =
                isLiteral
                ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
            host = String(name)
            let port = authority.dropFirst(name.count + (isLiteral ? 2 : 0)).dropFirst()
            self.port = port.isEmpty ? 80 : UInt16(port) ?? 80
        }
    }
}
