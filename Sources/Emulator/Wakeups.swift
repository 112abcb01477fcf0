// Wakes a service when something has changed, or when the next thing is due.
//
// Invariant: wake-ups that come while the service works become one. One task at most waits for a
// due time.

import Synchronization

/// The wake-ups of one service.
final class Wakeups: Sendable {
    /// One element for each wake-up; ends when the task that reads it is cancelled.
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let alarm = Mutex<(task: Task<Void, Never>, due: ContinuousClock.Instant)?>(nil)

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the service now.
    func wake() { continuation.yield() }

    /// Wakes the service at a time, in place of an earlier call's; nil waits for `wake` only.
    func wake(at due: ContinuousClock.Instant?) {
        alarm.withLock { alarm in
            if let due, alarm?.due == due { return }
            alarm?.task.cancel()
            alarm = due.map { due in
                let task = Task {
                    do { try await Task.sleep(until: due, clock: .continuous) } catch { return }
                    wake()
                }
                return (task, due)
            }
        }
    }
}
