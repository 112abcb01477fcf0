// Listens, and runs one structured task for each connection on the loop that accepted it.
//
// Stopping is orderly: the loops drain, so listeners close, idle connections end, and requests in
// flight get a response with `Connection: close`. `run` returns when the last connection has ended.

import Sockets

/// Responds to requests.
///
/// Called on the connection's event loop: it may `await`, but must not block. It reads a body
/// through `connection`; an unread body is skipped or ends the connection.
package protocol RequestHandler: Sendable {
    /// Responds to one request.
    func respond(to request: Request, over connection: inout Connection) async -> Response

    /// Makes the response to a request that was refused before it reached the handler.
    func respond(to refusal: Refusal) -> Response
}

/// An HTTP/1.1 server.
///
/// A class, so that each connection's task holds one reference.
package final class Server<Handler: RequestHandler>: Sendable {
    private let loops: [EventLoop]
    private let handler: Handler
    private let settings: ServerSettings
    private let gate: ConnectionGate
    private let onEvent: @Sendable (ServerEvent) -> Void

    /// Makes a server; it accepts nothing before `run`.
    ///
    /// - Parameters:
    ///   - loops: one for each core that serves.
    ///   - onEvent: called on the loops when a connection fails before its first request.
    package init(
        loops: [EventLoop], settings: ServerSettings = ServerSettings(), handler: Handler,
        onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.loops = loops
        self.settings = settings
        self.handler = handler
        self.onEvent = onEvent
        gate = ConnectionGate(settings)
    }

    /// Serves until the loops have drained.
    ///
    /// Throws `system` if the loops can't share a socket, or a loop can't watch one; then
    /// everything drains.
    package func run(_ bindings: [Binding]) async throws(SocketError) {
        var assignments: [(EventLoop, Listener, Binding)] = []
        for binding in bindings { assignments += try assign(binding) }
        let failure = await withTaskGroup(of: SocketError?.self) { group in
            for (loop, listener, binding) in assignments {
                group.addTask(executorPreference: loop) {
                    await self.accept(listener, binding, on: loop)
                }
            }
            var failure: SocketError?
            for await error in group where error != nil {
                failure = failure ?? error
                drain()
            }
            return failure
        }
        if let failure { throw failure }
    }

    /// Stops accepting and lets connections finish; those that take longer than `limit`
    /// milliseconds are closed.
    ///
    /// Returns at once; `run` returns when this is done.
    package func drain(within limit: UInt64 = 60_000) {
        for loop in loops { loop.drain(within: limit) }
    }

    /// Number of open connections, and of all since the server was made.
    package var connections: (open: Int, total: Int) { gate.admitted }

    /// Assigns a socket of the binding to every loop, and a loop to every socket.
    private func assign(
        _ binding: Binding
    ) throws(SocketError) -> [(EventLoop, Listener, Binding)] {
        let listeners = binding.listeners
        guard !listeners.isEmpty else { return [] }
        var assignments: [(EventLoop, Listener, Binding)] = []
        for number in 0..<max(loops.count, listeners.count) {
            let loop = loops[number % loops.count]
            let listener =
                number < listeners.count
                ? listeners[number] : try listeners[number % listeners.count].duplicate()
            assignments.append((loop, listener, binding))
        }
        return assignments
    }

    /// Accepts connections until the loop drains; returns an error if the socket can't be watched.
    private func accept(
        _ listener: Listener, _ binding: Binding, on loop: EventLoop
    ) async -> SocketError? {
        await withDiscardingTaskGroup { group in
            do throws(SocketError) {
                try await listener.run(on: loop, onFailure: { self.onEvent(.acceptFailed($0)) }) {
                    accepted in
                    let counted = binding.expectsProxyHeader ? nil : accepted.peer
                    let decision = self.gate.enter(counted)
                    if decision != .admitted { self.onEvent(.rejected(accepted.peer)) }
                    if decision == .dropped { return accepted.close() }
                    group.addTask {
                        await self.serve(
                            accepted, binding, on: loop, isAdmitted: decision == .admitted)
                        self.gate.leave(counted, decision)
                    }
                }
                return nil
            } catch {
                return error
            }
        }
    }

    // MARK: One connection

    /// Serves one connection, from its first byte to its last.
    private func serve(
        _ accepted: AcceptedSocket, _ binding: Binding, on loop: EventLoop, isAdmitted: Bool
    ) async {
        do throws(SocketError) {
            guard isAdmitted, binding.isPlain else {
                return try await serveAfterBeginning(
                    accepted, binding, on: loop, isAdmitted: isAdmitted)
            }
            var connection = Connection(
                try Socket(adopting: accepted, on: loop), from: accepted.peer, settings: settings)
            try await converse(over: &connection, on: loop)
        } catch {
            // The peer disconnected or stalled, so nothing can be sent; the value's destruction
            // closes the socket.
        }
    }

    /// Serves a connection that doesn't begin with a request.
    ///
    /// Never inlined: keeps the async frame of the others small, which each idle connection has.
    @inline(never)
    private func serveAfterBeginning(
        _ accepted: AcceptedSocket, _ binding: Binding, on loop: EventLoop, isAdmitted: Bool
    ) async throws(SocketError) {
        guard
            var connection = try await begin(accepted, binding, on: loop, isAdmitted: isAdmitted)
        else { return }
        try await converse(over: &connection, on: loop)
    }

    /// Reads requests and responds to them, until the connection ends.
    @inline(never)
    private func converse(
        over connection: inout Connection, on loop: EventLoop
    ) async throws(SocketError) {
        var turn = RequestTurn(in: loop.round)
        while true {
            // A peer that sends without a pause must not keep the others waiting.
            if turn.isOver(in: loop.round) { await loop.yield() }
            switch await connection.nextRequest() {
            case .request(let request):
                turn.add(request.bytes.count, in: loop.round)
                switch try await answer(request, over: &connection) {
                case .next: continue
                case .end: return try await connection.finish()
                case .linger: try await connection.flush()
                }
            case .refused(let refusal, let isHead):
                try await send(refusal, isHead: isHead, over: &connection)
            case .end: return try await connection.finish()
            }
            await connection.linger()
            return
        }
    }

    @inline(never)
    private func send(
        _ refusal: Refusal, isHead: Bool, over connection: inout Connection
    ) async throws(SocketError) {
        try await connection.send(refusal: handler.respond(to: refusal), isHead: isHead)
    }

    private func answer(
        _ request: Request, over connection: inout Connection
    ) async throws(SocketError) -> Connection.Continuation {
        let response = await handler.respond(to: request, over: &connection)
        return try await connection.send(response, to: request)
    }

    /// Everything before the first request: PROXY header, handshake, limits; nil if the connection
    /// has ended by then.
    @inline(never)
    private func begin(
        _ accepted: AcceptedSocket, _ binding: Binding, on loop: EventLoop, isAdmitted: Bool
    ) async throws(SocketError) -> Connection? {
        var socket = try Socket(adopting: accepted, on: loop)
        guard isAdmitted else {
            // With TLS, the response would need a handshake, which isn't worth it.
            guard binding.tls == nil else { return nil }
            return try await refuse(.tooManyConnections, on: socket, from: accepted.peer)
        }
        guard let peer = try await peer(of: accepted, &socket, binding) else { return nil }
        let place = binding.expectsProxyHeader ? ClientPlace(of: peer, in: gate) : nil
        if let place, place.decision != .admitted {
            onEvent(.rejected(peer))
            guard place.decision == .rejected, binding.tls == nil else { return nil }
            defer { withExtendedLifetime(place) {} }
            return try await refuse(.tooManyConnections, on: socket, from: peer)
        }
        guard let failure = try await secure(&socket, binding, peer) else {
            var connection = Connection(socket, from: peer, settings: settings)
            connection.place = place
            return connection
        }
        let refusal: Refusal? = failure == .plainHTTP ? .plainHTTP : nil
        return try await refuse(refusal, on: socket, from: peer)
    }

    /// The peer: the source in the PROXY header if one is expected; nil if that is missing.
    private func peer(
        of accepted: AcceptedSocket, _ socket: inout Socket, _ binding: Binding
    ) async throws(SocketError) -> SocketAddress? {
        guard binding.expectsProxyHeader else { return accepted.peer }
        let deadline = socket.loop.now + settings.limits.headMilliseconds
        let source = try await socket.readPreface(upTo: Limits.proxyHeaderBytes, until: deadline) {
            bytes -> (value: SocketAddress?, size: Int)? in
            switch ProxyHeader.parse(bytes) {
            case .done(let source, let size): (source ?? accepted.peer, size)
            case .incomplete: nil
            case .malformed: (nil, 0)
            }
        }
        if let source, let source { return source }
        onEvent(.proxyHeaderMissing(accepted.peer))
        return nil
    }

    /// Makes the connection ready for requests, by a handshake where TLS is expected; returns why
    /// that failed, if the peer may still read something.
    private func secure(
        _ socket: inout Socket, _ binding: Binding, _ peer: SocketAddress
    ) async throws(SocketError) -> SocketError? {
        guard let tls = binding.tls else { return nil }
        do throws(SocketError) {
            try await socket.startTLS(
                tls.current, until: socket.loop.now + settings.limits.handshakeMilliseconds)
            return nil
        } catch {
            if error != .draining { onEvent(.handshakeFailed(peer, reason: error)) }
            switch error {
            case .plainHTTP, .tls: return error
            default: throw error
            }
        }
    }

    /// Sends why a connection serves no requests, unless TLS has sent an alert that says so, and
    /// lets the peer read it; returns nil because the connection is closed.
    private func refuse(
        _ refusal: Refusal?, on socket: consuming Socket, from peer: SocketAddress
    ) async throws(SocketError) -> Connection? {
        var connection = Connection(socket, from: peer, settings: settings)
        if let refusal {
            try await connection.send(refusal: handler.respond(to: refusal), isHead: false)
        }
        await connection.linger()
        return nil
    }
}

/// An event for the log.
package enum ServerEvent: Sendable {
    /// A connection could not be accepted, for example without free descriptors; the server
    /// continues.
    case acceptFailed(SocketError)
    /// A handshake failed; the reason is OpenSSL's or the socket's.
    case handshakeFailed(SocketAddress, reason: SocketError)
    /// A connection didn't begin with the PROXY header that its address requires.
    case proxyHeaderMissing(SocketAddress)
    /// There were too many connections, in total or from this address.
    case rejected(SocketAddress)
}
