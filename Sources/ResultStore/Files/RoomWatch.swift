// Notices that records can be stored again after a disk was full, or a file could not be opened or
// written. Otherwise only a callback would, and a load balancer keeps callbacks from a server that
// isn't ready.

import Synchronization

/// Looks for room once a second.
final class RoomWatch: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Calls `look` once a second, until `stop`.
    func start(_ look: @escaping @Sendable () -> Void) {
        let looking = Task(priority: .background) {
            while (try? await Task.sleep(for: .seconds(1))) != nil { look() }
        }
        task.withLock { $0 = looking }
    }

    /// Returns when the last look has ended.
    func stop() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }
}
