// One HTTP/1.x connection: requests in, responses out, in order.
//
// Invariant: owned by one task on one loop. Bytes behind a request are the next request's, whatever
// way they were cut. Responses of pipelined requests gather until the peer has to be waited for.

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
        /// The body can't be skipped any more, or is malformed: nothing behind it can be trusted.
        case lost
    }

    var socket: Socket
    var input = ReadBuffer()
    var output: [UInt8] = []
    var body = BodyState.none
    let limits: Limits
    var requestID: UInt64

    /// The peer's address and port.
    package var peer: String { socket.peer }

    init(_ socket: consuming Socket, limits: Limits) {
        self.socket = socket
        self.limits = limits
        requestID = UInt64.random(in: .min ... .max)
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
                case .done(let request, let size):
                    input.consume(size)
                    begin(request)
                    return .request(request)
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

    private mutating func begin(_ request: Request) {
        requestID &+= 1
        switch request.framing {
        case .none: body = .none
        case .length, .chunked:
            body = .unread(request.framing, mustContinue: request.expectsContinue)
        }
    }
}
