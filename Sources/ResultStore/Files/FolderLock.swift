// The lock that keeps a second process out of a data folder.
//
// It is on the folder itself, so it holds even if the file LOCK is removed. LOCK names the process,
// and the addresses of its server.

import FoundationEssentials
import Synchronization

/// A data folder that this process has locked.
package final class FolderLock: Sendable {
    private struct State {
        /// The folder and the file LOCK; empty once they are unlocked.
        var locks: [any DiskFile]
        /// Those that LOCK names.
        var addresses: [String] = []
        /// How many other folders have taken the place of the first one.
        var moves = 0
    }

    private let root: String
    private let disk: any Disk
    private let state: Mutex<State>

    /// Locks a folder that exists, and names this process in it: a server that was killed has left
    /// its addresses.
    ///
    /// Throws `locked` if another process holds the lock, or `file`.
    package convenience init(_ root: String) throws(StoreError) {
        try self.init(root, on: SystemDisk())
        // On a full disk, LOCK is empty at least.
        try? announce([])
    }

    init(_ root: String, on disk: any Disk) throws(StoreError) {
        self.root = root
        self.disk = disk
        state = Mutex(State(locks: try Self.lock(root, on: disk)))
    }

    private static func lock(
        _ root: String, on disk: any Disk
    ) throws(StoreError) -> [any DiskFile] {
        let (folder, file) = (try disk.openReadOnly(root), try disk.open(root + "/LOCK"))
        for lock in [folder, file] where try !lock.lock() {
            let holder = Holder(try file.read(Limits.lockBytes, at: 0))
            throw .locked(folder: root, process: holder.process, addresses: holder.addresses)
        }
        return [folder, file]
    }

    /// Locks the folder that has the name now, if it is another one than the locked one.
    ///
    /// Throws `locked` if another process holds its lock, or `file`.
    ///
    /// - Returns: how many other folders have taken the place of the first one so far.
    func follow() throws(StoreError) -> Int {
        try state.withLock { state throws(StoreError) in
            guard let folder = state.locks.first, try !folder.isNamed(withSize: nil) else {
                return state.moves
            }
            state.locks = try Self.lock(root, on: disk)
            state.moves += 1
            // On a full disk, commands can't find the server; nothing else depends on it.
            try? Self.announce(state)
            return state.moves
        }
    }

    /// Names this process, and the addresses of its server, in LOCK: for commands that find the
    /// folder locked.
    package func announce(_ addresses: [String]) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            state.addresses = addresses
            try Self.announce(state)
        }
    }

    private static func announce(_ state: State) throws(StoreError) {
        guard let file = state.locks.last else { return }
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        try file.truncate(to: 0)
        try file.append(Holder(process: process, addresses: state.addresses).text)
    }

    /// Releases the lock.
    ///
    /// LOCK forgets the addresses first; if the disk refuses that, they are wrong until the next
    /// process locks the folder.
    package func unlock() {
        try? announce([])
        state.withLock { $0.locks = [] }
    }
}
