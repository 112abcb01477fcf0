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
        /// Some of it has been taken; most bodies come at once, and are never in this state.
        indirect case reading(BodyReader)
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
    /// What is held while the peer of a request or response is waited for.
    var smallMemory: MemoryShare
    /// What a large request holds.
    var bodyMemory: MemoryShare
    /// Whether no request has come yet.
    private var isNew = true
    var requestID: UInt64
    /// The id of a trusted proxy, for the current request.
    var takenRequestID: [UInt8]?
    /// When the current request's head was whole, in microseconds; 0 unless that is to be told.
    var requestBegan: UInt64 = 0

    /// The peer's address and port (a proxy's, where there is one in between), and its scheme.
    let origin: RequestOrigin

    /// Whether the peer is a proxy whose word on its clients is taken.
    private let isTrustedProxy: Bool

    /// Takes over a socket; `peer` is who a PROXY header names, else who has connected.
    init(_ socket: consuming Socket, from peer: SocketAddress, settings: ServerSettings) {
        origin = RequestOrigin(client: peer, isSecure: socket.isSecure)
        isTrustedProxy = settings.trusts(peer)
        self.socket = socket
        self.settings = settings
        smallMemory = MemoryShare(of: settings.smallMemory)
        bodyMemory = MemoryShare(of: settings.bodyMemory)
        requestID = settings.nextConnectionID()
    }

    var limits: Limits {
        _read { yield settings.limits }
    }

    // MARK: Requests

    /// Waits for the next request and reads its head.
    mutating func nextRequest() async -> Arrival {
        defer { isNew = false }
        var parser = HeadParser(limits: limits, origin: origin)
        var deadline = socket.loop.now + limits.idleMilliseconds
        while true {
            if !input.isEmpty {
                let hadBegun = parser.hasBegun
                switch input.withBytes({ parser.parse($0) }) {
                case .done(let request, let size):
                    input.consume(size)
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
                if isNew, socket.loop.isDraining {
                    // Who has just connected has a request to make: closing now would look to him
                    // like a failure.
                    deadline = min(deadline, socket.loop.now + limits.newcomerMilliseconds)
                }
                let isIdle = input.isEmpty && !(isNew && socket.loop.isDraining)
                // Thousands of connections may wait: each keeps as little as possible.
                if isIdle { output = [] }
                if input.isEmpty {
                    smallMemory.shrink()
                } else if !hold(input.capacity) {
                    body = .lost
                    return .refused(.noMemory, isHead: input.withBytes { parser.isHead($0) })
                }
                let count = try await socket.read(into: &input, until: deadline, isIdle: isIdle)
                if count == 0 { return .end }
            } catch {
                if error == .draining, isNew, !socket.loop.isAborting { continue }
                guard error == .timedOut, !input.isEmpty else { return .end }
                body = .lost
                return .refused(.slowRequest, isHead: input.withBytes { parser.isHead($0) })
            }
        }
    }

    /// Accounts for bytes that are held while the peer is waited for; false when too many are.
    mutating func hold(_ bytes: Int) -> Bool {
        bytes <= limits.smallBytes ? smallMemory.grow(to: bytes) : bodyMemory.grow(to: bytes)
    }

    /// Makes a request with a valid head the current one.
    private mutating func begin(_ request: Request) -> Arrival {
        var request = request
        requestID &+= 1
        if isTrustedProxy { believe(&request) }
        if settings.sendsServerTiming { requestBegan = Clock.monotonicMicroseconds }
        switch request.framing {
        case .none: body = .none
        case .length, .chunked:
            body = .unread(request.framing, mustContinue: request.expectsContinue)
            coding = request.contentCoding
        }
        // RFC 9110 §7.4: what was asked for over another scheme is not for this server to answer.
        if let isSecure = request.head.targetIsSecure, isSecure != request.origin.isSecure {
            body = .lost
            return .refused(.otherScheme, isHead: request.method == .head)
        }
        return .request(request)
    }

    /// Takes a trusted proxy's word on where a request comes from, and its id.
    private mutating func believe(_ request: inout Request) {
        takenRequestID = request.validRequestID
        let forwarded = ForwardedOrigin.resolve(request) { address in
            settings.trustedProxies.contains { $0.contains(address) }
        }
        guard forwarded != ForwardedOrigin() else { return }
        request.origin = RequestOrigin(
            client: forwarded.address.map { .ip($0, port: forwarded.port ?? 0) }
                ?? origin.client,
            isSecure: forwarded.scheme.map { $0 == "https" } ?? origin.isSecure,
            host: forwarded.host)
    }
}
