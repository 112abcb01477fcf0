// The data folder: what lies where, and the lock that keeps a second process out.

import FoundationEssentials
import Synchronization

/// Paths below one data folder, held by this process.
final class StoreFolder: Sendable {
    private let root: String
    private let lock: Mutex<File?>

    /// Makes the folder where it is missing, and locks it.
    ///
    /// Throws `locked` when another process has it, or `file`.
    init(_ root: String) throws(StoreError) {
        self.root = root
        do {
            try FileManager.default.createDirectory(
                atPath: root + "/results", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o750])
        } catch {
            throw .file(
                path: root, operation: "make the folder", reason: "\(error.localizedDescription)")
        }
        let lock = try File(appendingTo: root + "/LOCK")
        guard try lock.lock() else {
            let holder = try String(decoding: lock.read(20, at: 0), as: UTF8.self)
            throw .locked(
                folder: root, process: holder.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        try lock.truncate(to: 0)
        try lock.append(Array("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
        self.lock = Mutex(consume lock)
    }

    /// Lets other processes have the folder.
    func unlock() {
        lock.withLock { $0 = nil }
    }

    /// The index's file.
    var indexPath: String { root + "/index.sqlite" }

    /// A segment's file.
    func path(of segment: SegmentName) -> String { root + "/results/" + segment.fileName }

    /// All segments, oldest first.
    func segments() throws(StoreError) -> [SegmentName] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: root + "/results")
                .compactMap { SegmentName(fileName: $0) }
                .sorted()
        } catch {
            throw .file(
                path: root + "/results", operation: "list",
                reason: "\(error.localizedDescription)")
        }
    }

    /// Makes the names of segments durable.
    func syncResults() throws(StoreError) {
        try File(reading: root + "/results").syncFolder()
    }

    /// Keeps bytes that are cut off a segment, durably, in `results/torn/`.
    ///
    /// - Returns: the path.
    func keepTorn(
        _ bytes: [UInt8], of segment: SegmentName, at offset: Int64
    ) throws(StoreError) -> String {
        let torn = root + "/results/torn"
        try File.makeFolder(torn)
        let path = "\(torn)/\(segment.fileName).\(offset)"
        let file = try File(appendingTo: path)
        try file.append(bytes)
        try file.sync()
        try File(reading: torn).syncFolder()
        try syncResults()
        return path
    }

    /// Removes the index's files.
    func removeIndex() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            let path = indexPath + suffix
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw .file(
                    path: path, operation: "remove", reason: "\(error.localizedDescription)")
            }
        }
    }
}
