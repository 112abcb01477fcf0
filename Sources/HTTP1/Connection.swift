// One HTTP/1.x connection: requests in, responses out, in order.
//
// Invariant: owned by one task on one loop. Bytes behind a request are the next request's, whatever
// way they were cut. Responses of pipelined requests gather until the peer has to be waited for.

import Clocks
import Gzip
import Sockets

/// A server's side of one connection.
package struct Connection: ~Copyable {
    /// How reading a body ended when there is no body to give.
    package enum BodyFailure: Error {
        /// The request is wrong or too large: answer with this.
        case refused(Refusal)
        /// The peer is gone: nobody will read an answer.
        case disconnected
    }

    /// What came when a request was awaited.
    enum Arrival {
        case request(Request)
        /// Wrong, too large or too slow; `isHead` says that its answer must have no content.
        case refused(Refusal, isHead: Bool)
        /// The connection has ended, or waits in vain.
        case end
    }

    enum BodyState {
        case none
        case unread(Request.Framing, mustContinue: Bool)
        case reading(BodyReader)
        /// The body can't be skipped any more, or is malformed: nothing behind it can be trusted.
        case lost
    }

    var socket: Socket
    var input = ReadBuffer()
    var output: [UInt8] = []
    var body = BodyState.none
    var coding = Request.ContentCoding.identity
    var inflater: Inflater?
    let settings: ServerSettings
    var requestID: UInt64
    /// The id of a trusted proxy, for the current request.
    var takenRequestID: [UInt8]?
    /// When the current request's head was whole, in microseconds; 0 unless that is to be told.
    var requestBegan: UInt64 = 0

    /// The peer's address and port: a proxy's, where there is one in between.
    package let peer: SocketAddress

    /// Takes over a socket; `peer` is who a PROXY header names, else who has connected.
    init(_ socket: consuming Socket, from peer: SocketAddress, settings: ServerSettings) {
        self.socket = socket
        self.peer = peer
        self.settings = settings
        requestID = UInt64.random(in: .min ... .max)
    }

    var limits: Limits {
        _read { yield settings.limits }
    }

    // MARK: Requests

    /// Waits for the next request and reads its head.
    mutating func nextRequest() async -> Arrival {
        var parser = HeadParser(limits: limits)
        var deadline = socket.loop.now + limits.idleMilliseconds
        while true {
            if !input.isEmpty {
                let hadBegun = parser.hasBegun
                switch input.withBytes({ parser.parse($0) }) {
                case .done(var request, let size):
                    input.consume(size)
                    request.origin = origin(of: request)
                    return begin(request)
                case .refused(let refusal):
                    body = .lost
                    return .refused(refusal, isHead: input.withBytes { parser.isHead($0) })
                case .incomplete:
                    if !hadBegun { deadline = socket.loop.now + limits.headMilliseconds }
                }
            }
            do throws(SocketError) {
                try await flush()
                let isIdle = input.isEmpty
                // Thousands of connections may wait: each keeps as little as possible.
                if isIdle { output = [] }
                let count = try await socket.read(into: &input, until: deadline, isIdle: isIdle)
                if count == 0 { return .end }
            } catch {
                guard error == .timedOut, !input.isEmpty else { return .end }
                body = .lost
                return .refused(.slowRequest, isHead: input.withBytes { parser.isHead($0) })
            }
        }
    }

    /// Makes a request with a valid head the current one.
    private mutating func begin(_ request: Request) -> Arrival {
        requestID &+= 1
        takenRequestID = settings.trusts(peer) ? request.validRequestID : nil
        if settings.sendsServerTiming { requestBegan = Clock.monotonicMicroseconds }
        switch request.framing {
        case .none: body = .none
        case .length, .chunked:
            body = .unread(request.framing, mustContinue: request.expectsContinue)
            coding = request.contentCoding
        }
        // RFC 9110 §7.4: what was asked for over another scheme is not for this server to answer.
        if let isSecure = request.targetIsSecure, isSecure != request.origin.isSecure {
            body = .lost
            return .refused(.otherScheme, isHead: request.method == .head)
        }
        return .request(request)
    }

    /// Where a request comes from: as a trusted proxy says, else as the socket does.
    private func origin(of request: Request) -> Request.Origin {
        var origin = Request.Origin(client: peer, isSecure: socket.isSecure)
        guard settings.trusts(peer) else { return origin }
        let forwarded = ForwardedOrigin.resolve(request) { address in
            settings.trustedProxies.contains { $0.contains(address) }
        }
        if let address = forwarded.address {
            origin.client = .ip(address, port: forwarded.port ?? 0)
        }
        if let scheme = forwarded.scheme { origin.isSecure = scheme == "https" }
        origin.host = forwarded.host
        return origin
    }
}
