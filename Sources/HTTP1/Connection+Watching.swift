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
        return await run(operation, watchingFrom: 0, until: deadline, endsOnDrain: true)
    }

    /// Runs an operation that keeps a processor busy, as long as the peer stays.
    ///
    /// Unlike `whilePeerIsConnected`, it lets an operation end that takes less than
    /// `absentPeerMilliseconds`, because a peer that has shut down its side may still read, and it
    /// goes on while the server drains.
    package mutating func workWhilePeerIsConnected<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async -> (value: Value, ending: Ending) {
        let start = socket.loop.now + limits.absentPeerMilliseconds
        return await run(operation, watchingFrom: start, until: .max, endsOnDrain: false)
    }

    private mutating func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value, watchingFrom start: UInt64,
        until deadline: UInt64, endsOnDrain: Bool
    ) async -> (value: Value, ending: Ending) {
        let waker = socket.makeWaker()
        let task = Task(executorPreference: socket.loop) {
            let value = await operation()
            waker.wake()
            return value
        }
        let ending = await withTaskCancellationHandler {
            await watch(from: start, until: deadline, endsOnDrain: endsOnDrain)
        } onCancel: {
            task.cancel()
        }
        if ending != .finished { task.cancel() }
        return (await task.value, ending)
    }

    /// Waits for the waker, and from `start` on for the peer's end, a drain or the deadline too.
    private mutating func watch(
        from start: UInt64, until deadline: UInt64, endsOnDrain: Bool
    ) async -> Ending {
        guard (try? await flush()) != nil else { return .peerGone }
        // Thousands of connections may wait, so each keeps as little memory as possible.
        socket.loop.leaveSpare(&output)
        do throws(SocketError) {
            if start > 0, try await isWoken(before: start) { return .finished }
            try await socket.waitForWake(into: &input, until: deadline, endsOnDrain: endsOnDrain)
            return .finished
        } catch {
            switch error {
            case .timedOut: return .timedOut
            case .draining: return .draining
            default: return .peerGone
            }
        }
    }

    private func isWoken(before deadline: UInt64) async throws(SocketError) -> Bool {
        do throws(SocketError) {
            try await socket.waitForWake(until: deadline)
            return true
        } catch .timedOut {
            return false
        }
    }
}
