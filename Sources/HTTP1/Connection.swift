// One HTTP/1.x connection: reads requests and writes responses, in order.
//
// Invariant: one task on one loop owns it. Bytes after a request belong to the next request,
// however the input was split. Responses to pipelined requests are collected until the server has
// to wait for the peer.

import Clocks
import Gzip
import Sockets

/// A server's side of one connection.
package struct Connection: ~Copyable {
    /// Why reading a body failed.
    package enum BodyFailure: Error {
        /// The request is invalid or too large: respond with this.
        case refused(Refusal)
        /// The peer is gone, so no response can be sent.
        case disconnected
    }

    /// The result of waiting for a request.
    enum Arrival {
        case request(Request)
        /// Invalid, too large or too slow; if `isHead`, the response must have no content.
        ///
        /// Indirect, as it is rare: waiting connections then need less memory.
        indirect case refused(Refusal, isHead: Bool)
        /// The connection closed or idled out.
        case end
    }

    enum BodyState {
        case none
        case unread(Request.Framing, mustContinue: Bool)
        /// It is here already: the handler has put it in place of the received one.
        case given([UInt8])
        /// A part of it has been read.
        ///
        /// Most bodies arrive at once, and are never in this state.
        indirect case reading(BodyReader)
        /// The body can't be skipped any more, or is malformed: nothing after it can be trusted.
        case lost
    }

    var socket: Socket
    var input = ReadBuffer()
    var output: [UInt8] = []
    /// Why queued output could not be sent; the connection sends nothing more.
    var sendingFailure: SocketError?
    var body = BodyState.none
    var coding = Request.ContentCoding.identity
    var inflater: Inflater?
    let settings: ServerSettings
    /// Memory held while waiting for the peer of a request or response.
    var smallMemory: MemoryShare
    /// Memory held by a large request.
    var bodyMemory: MemoryShare
    /// The peer's place among the connections of its address; nil where no PROXY header is
    /// expected.
    var place: ClientPlace?
    /// Whether no request has arrived yet.
    private var isNew = true
    var requestID: UInt64
    /// The current request's id from a trusted proxy.
    var takenRequestID: [UInt8]?
    /// What the current request has stored, for the access log; set by the handler.
    package var subject: String?
    /// When the current request's head was complete, in microseconds; 0 if the head was refused or
    /// Server Timing is off.
    var requestBegan: UInt64 = 0

    /// The peer's address and port (a proxy's, if there is one in between), and its scheme.
    let origin: RequestOrigin

    /// Whether the peer is a proxy whose statements about its clients are trusted.
    private let isTrustedProxy: Bool

    /// Takes over a socket; `peer` is the source in a PROXY header, or else the connected peer.
    init(_ socket: consuming Socket, from peer: SocketAddress, settings: ServerSettings) {
        origin = RequestOrigin(client: peer, isSecure: socket.isSecure)
        isTrustedProxy = settings.trusts(peer)
        self.socket = socket
        self.settings = settings
        smallMemory = MemoryShare(of: settings.smallMemory)
        bodyMemory = MemoryShare(of: settings.bodyMemory)
        requestID = settings.nextConnectionID()
    }

    package var limits: Limits {
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
                    if !hadBegun, parser.hasBegun {
                        deadline = socket.loop.now + limits.headMilliseconds
                    }
                }
            }
            do throws(SocketError) {
                if !output.isEmpty { try await flush() }
                if isNew, socket.loop.isDraining {
                    // A client that has just connected is about to send a request; closing now
                    // would look like an error.
                    deadline = min(deadline, socket.loop.now + limits.newcomerMilliseconds)
                }
                let isIdle = !parser.hasBegun && !(isNew && socket.loop.isDraining)
                // Thousands of connections may wait, so each keeps as little memory as possible.
                if isIdle { socket.loop.leaveSpare(&output) }
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
                guard error == .timedOut, parser.hasBegun else { return .end }
                body = .lost
                return .refused(.slowRequest, isHead: input.withBytes { parser.isHead($0) })
            }
        }
    }

    /// Accounts for bytes that are held while waiting for the peer; false if the budget is
    /// exceeded.
    mutating func hold(_ bytes: Int) -> Bool {
        bytes <= limits.smallBytes ? smallMemory.grow(to: bytes) : bodyMemory.grow(to: bytes)
    }

    /// Makes a request with a valid head the current one.
    private mutating func begin(_ request: consuming Request) -> Arrival {
        requestID &+= 1
        subject = nil
        if isTrustedProxy { applyForwardedFields(&request) }
        if settings.sendsServerTiming { requestBegan = Clock.monotonicMicroseconds }
        switch request.framing {
        case .none: body = .none
        case .length, .chunked:
            body = .unread(request.framing, mustContinue: request.expectsContinue)
            coding = request.contentCoding
        }
        // RFC 9110 §7.4: a request for another scheme isn't for this server.
        if let isSecure = request.head.targetIsSecure, isSecure != request.origin.isSecure {
            body = .lost
            return .refused(.otherScheme, isHead: request.method == .head)
        }
        return .request(request)
    }

    /// Takes the request's origin and id from a trusted proxy.
    private mutating func applyForwardedFields(_ request: inout Request) {
        takenRequestID = request.validRequestID
        let forwarded = ForwardedOrigin.resolve(request) { address in
            settings.trustedProxies.contains { $0.contains(address) }
        }
        guard forwarded != ForwardedOrigin() else { return }
        request.origin = RequestOrigin(
            client: forwarded.address.map { .ip($0, port: forwarded.port ?? 0) }
                ?? origin.client,
            isSecure: forwarded.scheme.map { $0 == "https" } ?? origin.isSecure,
            isPlain: forwarded.scheme.map { $0 != "https" } ?? origin.isPlain,
            isForwarded: true, host: forwarded.host)
    }
}
