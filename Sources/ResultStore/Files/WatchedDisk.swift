// A disk that reports its first failed sync. The consequence is the same whatever operation failed.

import Synchronization

/// Reports the first failed sync, once.
final class SyncAlarm: Sendable {
    private let body = Mutex<(@Sendable (StoreError) -> Void)?>(nil)

    /// Sets the function that is called with the failure.
    func set(_ body: @escaping @Sendable (StoreError) -> Void) {
        self.body.withLock { $0 = body }
    }

    /// Reports `error` if it is a failed sync.
    func report(_ error: StoreError) {
        guard case .syncFailed = error else { return }
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(error)
    }

    /// Runs `body` and reports a failed sync that it throws.
    func watch<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            report(error)
            throw error
        }
    }
}

/// A disk that reports the failed syncs of another one.
struct WatchedDisk: Disk {
    let disk: any Disk
    let alarm: SyncAlarm

    func open(_ path: String) throws(StoreError) -> any DiskFile {
        WatchedFile(try disk.open(path), alarm)
    }

    func openReadOnly(_ path: String) throws(StoreError) -> any DiskFile {
        try disk.openReadOnly(path)
    }

    func names(in folder: String) throws(StoreError) -> [String] { try disk.names(in: folder) }

    func rename(_ path: String, to newPath: String) throws(StoreError) {
        try disk.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(StoreError) { try disk.remove(path) }

    func makeFolder(_ path: String) throws(StoreError) { try disk.makeFolder(path) }

    func syncFolder(_ path: String) throws(StoreError) {
        try alarm.watch { () throws(StoreError) in try disk.syncFolder(path) }
    }
}

/// A file of a watched disk.
private final class WatchedFile: DiskFile {
    private let file: any DiskFile
    private let alarm: SyncAlarm

    init(_ file: any DiskFile, _ alarm: SyncAlarm) {
        self.file = file
        self.alarm = alarm
    }

    var path: String { file.path }

    func size() throws(StoreError) -> Int64 { try file.size() }

    func isNamed(withSize size: Int64?) throws(StoreError) -> Bool {
        try file.isNamed(withSize: size)
    }

    func append(_ bytes: [UInt8]) throws(StoreError) { try file.append(bytes) }

    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8] {
        try file.read(count, at: offset)
    }

    func truncate(to size: Int64) throws(StoreError) { try file.truncate(to: size) }

    func sync() throws(StoreError) {
        try alarm.watch { () throws(StoreError) in try file.sync() }
    }

    func lock() throws(StoreError) -> Bool { try file.lock() }
}
