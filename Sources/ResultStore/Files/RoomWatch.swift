// Notices that a full disk has room again. Otherwise only a callback would, and a load balancer
// keeps callbacks from a server that isn't ready.

import Synchronization

/// Looks for room while the last record has found the disk full.
final class RoomWatch: Sendable {
    private let found = Atomic(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Whether there was room at the last look, although the last record found the disk full.
    var hasFoundRoom: Bool { found.load(ordering: .relaxed) }

    /// Looks once a second, until `stop`.
    ///
    /// - Parameters:
    ///   - isFull: whether the last record found the disk full.
    ///   - hasRoom: whether records can be written now.
    func start(
        while isFull: @escaping @Sendable () -> Bool, _ hasRoom: @escaping @Sendable () -> Bool
    ) {
        let look = Task(priority: .background) { [self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                found.store(isFull() && hasRoom(), ordering: .relaxed)
            }
        }
        task.withLock { $0 = look }
    }

    /// Returns when the last look has ended.
    func stop() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }
}
