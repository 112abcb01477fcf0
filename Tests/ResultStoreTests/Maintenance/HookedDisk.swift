// The machine's disk, with a pause or a failure at chosen calls: what happens meanwhile is the
// test's.

import Foundation
import Synchronization

@testable import ResultStore

/// A disk that calls a test before each renaming and each opening, all of which may fail.
final class HookedDisk: Disk {
    private let disk = SystemDisk()
    private let onRename: @Sendable (String) throws(StoreError) -> Void
    private let onOpen: @Sendable (String) throws(StoreError) -> Void
    private let onWrite: @Sendable (String) throws(StoreError) -> Void

    /// - Parameters:
    ///   - onOpen: called before a file is opened for reading.
    ///   - onWrite: called before a file is opened for writing.
    init(
        onRename: @escaping @Sendable (String) throws(StoreError) -> Void = { _ in },
        onOpen: @escaping @Sendable (String) throws(StoreError) -> Void = { _ in },
        onWrite: @escaping @Sendable (String) throws(StoreError) -> Void = { _ in }
    ) {
        self.onRename = onRename
        self.onOpen = onOpen
        self.onWrite = onWrite
    }

    func open(_ path: String) throws(StoreError) -> any DiskFile {
        try onWrite(path)
        return try disk.open(path)
    }

    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile {
        try onOpen(path)
        return try disk.openReadOnly(path)
    }

    func names(in folder: String) throws(StoreError) -> [String] { try disk.names(in: folder) }

    func rename(_ path: String, to newPath: String) throws(StoreError) {
        try onRename(newPath)
        try disk.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(StoreError) { try disk.remove(path) }

    func makeFolder(_ path: String) throws(StoreError) { try disk.makeFolder(path) }

    func syncFolder(_ path: String) throws(StoreError) { try disk.syncFolder(path) }
}

/// Something that happens once, on another thread, while its caller waits.
final class Interruption: Sendable {
    private let action = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Sets what is to happen at the next `happen`.
    func set(_ action: @escaping @Sendable () async -> Void) {
        self.action.withLock { $0 = action }
    }

    /// Lets it happen, and waits for its end.
    func happen() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        guard let action else { return }
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            await action()
            isDone.signal()
        }
        isDone.wait()
    }
}
