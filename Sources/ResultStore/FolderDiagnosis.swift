// What can be said about a data folder from outside, before or while a server uses it: whether its
// file system keeps what is synced, and whether its files are newer than the clock.
//
// Invariant: nothing in the folder changes but for a file that exists during the check.

import Clocks

/// Facts about a data folder.
package struct FolderDiagnosis: Sendable {
    /// A kind of file system on which a store must not be relied upon.
    package enum FileSystem: String, Sendable {
        /// It is gone after a restart of the machine.
        case memory
        /// Its locks and syncs depend on another machine or program.
        case network
    }

    /// Why files can't be created, written, synced and removed here; nil if they can.
    package let failure: StoreError?
    /// Nil for a file system of disks.
    package let fileSystem: FileSystem?
    /// The day of the newest segment, `yyyy-MM-dd`; nil for an empty store.
    package let newestDay: String?

    /// Looks at an existing folder.
    ///
    /// O(segments). Throws `file` if it can't be listed.
    package init(folder root: String) throws(StoreError) {
        let disk = SystemDisk()
        failure = Self.probe(root, disk)
        fileSystem = Self.fileSystem(of: root)
        let names = try disk.names(in: root)
        let segments = names.contains("results") ? try disk.names(in: root + "/results") : []
        newestDay = segments.compactMap { SegmentName.parse($0)?.name.day }.max()
    }

    /// Creates, writes, syncs and removes a file.
    private static func probe(_ root: String, _ disk: SystemDisk) -> StoreError? {
        let path = root + "/doctor.unfinished"
        do throws(StoreError) {
            let file = try disk.open(path)
            do throws(StoreError) {
                try file.append(Array("probe\n".utf8))
                try file.sync()
                try disk.syncFolder(root)
            } catch {
                try? disk.remove(path)
                throw error
            }
            try disk.remove(path)
            return nil
        } catch {
            return error
        }
    }

    private static func fileSystem(of root: String) -> FileSystem? {
        switch File.fileSystemType(of: root) {
        // tmpfs and ramfs.
        case 0x0102_1994, 0x8584_58F6: .memory
        // NFS, SMB, SMB2, CIFS, FUSE, 9P, Ceph and AFS.
        case 0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400,
            0x5346_414F:
            .network
        default: nil
        }
    }
}

extension FolderDiagnosis {
    /// Whether the newest segment is from a later day than `now`, so that the clock is behind.
    package func isAhead(of now: Timestamp) -> Bool {
        newestDay.map { $0 > SegmentName(at: now).day } ?? false
    }
}
