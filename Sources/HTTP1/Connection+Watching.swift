// Handlers that wait for something else than their peer notice that it has gone, or that the server
// stops.
//
// The operation is a task of its own, so that it can be cancelled, and has ended when the call
// returns; the connection stays with its own task, which watches the socket and sleeps.

import Sockets

extension Connection {
    /// Why an operation ended that ran while the peer was watched.
    package enum Ending: Sendable {
        /// By itself.
        case finished
        /// The peer has shut down its side, or is gone: nobody waits for an answer.
        case peerGone
        /// The server stops.
        case draining
        /// It had no more time.
        case timedOut
    }

    /// Runs `operation` for as long as the peer stays, the server doesn't drain, and there is time.
    ///
    /// Otherwise its task is cancelled at once, and its value is awaited all the same: it must end
    /// soon then. While the server drains it is cancelled before it begins: what is there already
    /// should be looked for before.
    ///
    /// A peer that has shut down its side counts as gone, although RFC 9112 §9.6 allows it to go on
    /// reading: a program that has ended can't be told from it, and nobody sends a question, says
    /// that he has no more, and then waits for minutes. It gets the answer that is given. Requests
    /// that it has sent meanwhile are kept.
    ///
    /// - Parameters:
    ///   - milliseconds: after which it is cancelled, up to `Sockets.Limits.deadlineSweepMilliseconds`
    ///     late; nil for never.
    ///   - operation: runs on the connection's loop, like the handler.
    /// - Returns: what the operation came to, cancelled or not, and why it ended.
    package mutating func whilePeerStays<Value: Sendable>(
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
        // Thousands of connections may wait: each keeps as little as possible.
        output = []
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
