// The lock that keeps a second process out of a data folder.
//
// It is on the folder itself, so it holds even if the file LOCK is removed. LOCK names the process,
// and the addresses of its server.

import FoundationEssentials
import Synchronization

/// A data folder that this process has locked.
package final class FolderLock: Sendable {
    /// The folder and the file LOCK; empty once they are unlocked.
    private let locks: Mutex<[any DiskFile]>

    /// Locks a folder that exists.
    ///
    /// Throws `locked` if another process holds the lock, or `file`.
    package convenience init(_ root: String) throws(StoreError) {
        try self.init(root, on: SystemDisk())
    }

    init(_ root: String, on disk: any Disk) throws(StoreError) {
        let (folder, file) = (try disk.openReadOnly(root), try disk.open(root + "/LOCK"))
        for lock in [folder, file] where try !lock.lock() {
            let holder = Holder(try file.read(Limits.lockBytes, at: 0))
            throw .locked(folder: root, process: holder.process, addresses: holder.addresses)
        }
        locks = Mutex([folder, file])
    }

    /// Names this process, and the addresses of its server, in LOCK: for commands that find the
    /// folder locked.
    package func announce(_ addresses: [String]) throws(StoreError) {
        guard let file = locks.withLock({ $0.last }) else { return }
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        try file.truncate(to: 0)
        try file.append(Holder(process: process, addresses: addresses).text)
    }

    /// Releases the lock.
    ///
    /// LOCK forgets the addresses first; if the disk refuses that, they are wrong until the next
    /// process locks the folder.
    package func unlock() {
        try? announce([])
        locks.withLock { $0 = [] }
    }
}
