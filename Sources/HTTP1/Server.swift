// Listens, and runs one structured task for each connection on the loop that accepted it.
//
// Stopping is in order: loops drain, so listeners close, idle connections end, and requests in
// flight are answered with `Connection: close`; `run` returns when the last one has gone.

import Sockets

/// An HTTP/1.1 server on one address.
package struct Server<Handler: RequestHandler>: Sendable {
    private let loops: [EventLoop]
    private let handler: Handler
    private let limits: Limits
    private let onAcceptFailure: @Sendable (SocketError) -> Void

    /// Makes a server; nothing listens before `run`.
    ///
    /// - Parameters:
    ///   - loops: one for each core that is to serve; each gets a listener of its own.
    ///   - onAcceptFailure: told when a connection could not be taken in, such as without
    ///     descriptors; the server goes on by itself.
    package init(
        loops: [EventLoop], limits: Limits = Limits(), handler: Handler,
        onAcceptFailure: @escaping @Sendable (SocketError) -> Void = { _ in }
    ) {
        self.loops = loops
        self.limits = limits
        self.handler = handler
        self.onAcceptFailure = onAcceptFailure
    }

    /// Serves `host` and `port` until the loops have drained.
    ///
    /// - Parameters:
    ///   - host: a numeric address or `localhost`.
    ///   - port: 0 for a free one of the kernel's choice.
    ///   - onReady: called once, with the port, when connections are being accepted.
    ///
    /// Throws `addressInUse` or `system` before anything is served.
    package func run(
        host: String, port: UInt16, onReady: @Sendable (UInt16) -> Void
    ) async throws(SocketError) {
        if port != 0 { try Listener.checkFree(host: host, port: port) }
        let first = try Listener(host: host, port: port, isShared: true)
        let port = first.port
        var listeners = [first]
        for _ in loops.dropFirst() {
            listeners.append(try Listener(host: host, port: port, isShared: true))
        }
        onReady(port)
        await withTaskGroup(of: Void.self) { group in
            for (loop, listener) in zip(loops, listeners) {
                group.addTask(executorPreference: loop) { await accept(listener, on: loop) }
            }
        }
    }

    /// Ends accepting and lets connections finish.
    ///
    /// Returns at once; `run` returns when it is done.
    package func drain() {
        for loop in loops { loop.drain() }
    }

    private func accept(_ listener: Listener, on loop: EventLoop) async {
        await withDiscardingTaskGroup { group in
            do throws(SocketError) {
                try await listener.run(on: loop, onFailure: onAcceptFailure) { accepted in
                    group.addTask { await serve(accepted, on: loop) }
                }
            } catch {
                onAcceptFailure(error)
            }
        }
    }

    /// One connection, from its first byte to its last.
    private func serve(_ accepted: AcceptedSocket, on loop: EventLoop) async {
        do throws(SocketError) {
            var connection = Connection(try Socket(adopting: accepted, on: loop), limits: limits)
            while true {
                switch await connection.nextRequest() {
                case .request(let request):
                    let response = await handler.respond(to: request, over: &connection)
                    if try await connection.send(response, to: request) { continue }
                    try await connection.flush()
                case .refused(let refusal, let isHead):
                    try await connection.send(
                        refusal: handler.respond(to: refusal), isHead: isHead)
                case .end:
                    try await connection.flush()
                    return
                }
                await connection.linger()
                return
            }
        } catch {
            // The peer went away, or stalled: there is nobody to tell, and the value's end closes.
        }
    }
}
