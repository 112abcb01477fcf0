// An open file of a simulated disk.

import Synchronization

@testable import ResultStore

/// A file in memory; it stays usable when its name is gone or another's.
final class SimulatedFile: DiskFile {
    let path: String
    private let inode: SimulatedDisk.Inode
    private let disk: SimulatedDisk
    private let holdsLock = Mutex(false)

    init(_ path: String, _ inode: SimulatedDisk.Inode, _ disk: SimulatedDisk) {
        self.path = path
        self.inode = inode
        self.disk = disk
    }

    deinit {
        if holdsLock.withLock({ $0 }) { inode.isLocked.withLock { $0 = false } }
    }

    func size() throws(StoreError) -> Int64 {
        try disk.begin(.read, path)
        return Int64(inode.content.withLock { $0.live.count })
    }

    func isNamed(withSize size: Int64?) throws(StoreError) -> Bool {
        try disk.begin(.read, path)
        let now = Int64(inode.content.withLock { $0.live.count })
        return disk.inode(at: path) === inode && size ?? now == now
    }

    func append(_ bytes: [UInt8]) throws(StoreError) {
        let fault = try disk.begin(.append, path)
        let isShortened = fault == .isShortened
        let written = isShortened ? Array(bytes.prefix((bytes.count + 1) / 2)) : bytes
        inode.content.withLock { content in
            content.live += written
            content.pending.append((written, content.live.count))
        }
        if fault != nil { throw .full }
    }

    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8] {
        try disk.begin(.read, path)
        return inode.content.withLock { content in
            guard offset >= 0, offset < Int64(content.live.count) else { return [] }
            let start = Int(offset)
            return Array(content.live[start..<min(content.live.count, start + count)])
        }
    }

    func truncate(to size: Int64) throws(StoreError) {
        try disk.begin(.truncate, path)
        inode.content.withLock { content in
            content.live.removeLast(max(0, content.live.count - Int(size)))
            content.pending.append((nil, Int(size)))
        }
    }

    func sync() throws(StoreError) {
        try disk.begin(.sync, path)
        inode.content.withLock { content in
            content.durable = content.live
            content.pending = []
        }
    }

    func lock() throws(StoreError) -> Bool {
        try disk.begin(.read, path)
        let isFree = inode.isLocked.withLock { isLocked in
            defer { isLocked = true }
            return !isLocked
        }
        if isFree { holdsLock.withLock { $0 = true } }
        return isFree
    }
}
