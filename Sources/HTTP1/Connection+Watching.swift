// Handlers that wait for something other than their peer notice when the peer is gone or the server
// stops.
//
// The operation runs in a task of its own, so that it can be cancelled; it has ended when the call
// returns. The connection stays with its own task, which watches the socket and sleeps.

import Sockets

extension Connection {
    /// Why an operation ended while the peer was watched.
    package enum Ending: Sendable {
        /// It returned by itself.
        case finished
        /// The peer has shut down its side or is gone, so no one needs the response.
        case peerGone
        /// The server stops.
        case draining
        /// Its time ran out.
        case timedOut
    }

    /// Runs `operation` as long as the peer stays, the server doesn't drain, and time remains.
    ///
    /// Otherwise its task is cancelled at once, and its value is still awaited: it must end soon
    /// then. While the server drains, it is cancelled before it begins, so the caller should first
    /// use what is already available.
    ///
    /// A peer that has shut down its side counts as gone, although RFC 9112 §9.6 allows it to go on
    /// reading. It can't be distinguished from a program that has ended, and a client rarely shuts
    /// down its side and then waits for minutes. It still gets the response that the handler
    /// returns. Requests that it has sent during the operation are kept.
    ///
    /// - Parameters:
    ///   - milliseconds: time until the cancellation, which may be up to
    ///     `Sockets.Limits.deadlineSweepMilliseconds` late; nil for no limit.
    ///   - operation: runs on the connection's loop, like the handler.
    /// - Returns: the operation's value, whether cancelled or not, and why it ended.
    package mutating func whilePeerIsConnected<Value: Sendable>(
        within milliseconds: UInt64? = nil, _ operation: @escaping @Sendable () async -> Value
    ) async -> (value: Value, ending: Ending) {
        let deadline = milliseconds.map { socket.loop.now + $0 } ?? .max
        let waker = socket.makeWaker()
        let task = Task(executorPreference: socket.loop) {
            let value = await operation()
            waker.wake()
            return value
        }
        let ending = await withTaskCancellationHandler {
            await watch(until: deadline)
        } onCancel: {
            task.cancel()
        }
        if ending != .finished { task.cancel() }
        return (await task.value, ending)
    }

    /// Waits for the waker, the peer's end, a drain or the deadline.
    private mutating func watch(until deadline: UInt64) async -> Ending {
        guard (try? await flush()) != nil else { return .peerGone }
        // Thousands of connections may wait, so each keeps as little memory as possible.
        socket.loop.leaveSpare(&output)
        do throws(SocketError) {
            try await socket.waitForWake(into: &input, until: deadline)
            return .finished
        } catch {
            switch error {
            case .timedOut: return .timedOut
            case .draining: return .draining
            default: return .peerGone
            }
        }
    }
}
