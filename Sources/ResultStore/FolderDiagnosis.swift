// What can be said about a data folder from outside, before or while a server uses it: whether its
// file system keeps what is synced, and whether its files are newer than the clock.
//
// Invariant: nothing in the folder changes but for files that exist during the check.

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

    /// Why files can't be created, written, synced and removed here and in `results`; nil if they
    /// can.
    package let failure: StoreError?
    /// Nil for a file system of disks.
    package let fileSystem: FileSystem?
    /// The day of the newest segment, `yyyy-MM-dd`; nil for an empty store.
    package let newestDay: String?
    /// Paths of what a server writes, such as the newest segment unless it is compressed.
    package let written: [String]
    /// Paths of all segments, which a server reads.
    package let segments: [String]

    /// Looks at an existing folder.
    ///
    /// O(segments). Throws `file` if it can't be listed.
    package init(folder root: String) throws(StoreError) {
        let disk = SystemDisk()
        let results = root + "/results"
        let names = try disk.names(in: root)
        let hasResults = names.contains("results")
        failure = Self.probe(root, disk) ?? (hasResults ? Self.probe(results, disk) : nil)
        fileSystem = Self.fileSystem(of: root)
        let stored = hasResults ? try disk.names(in: results) : []
        let found = stored.compactMap { SegmentName.parse($0) }.sorted { $0.name < $1.name }
        newestDay = found.last?.name.day
        segments = found.map { "\(results)/\($0.name.fileName)\($0.form.suffix)" }
        var written = ["LOCK", StoreFolder.indexName, "reserve", "results"]
            .filter { names.contains($0) }.map { "\(root)/\($0)" }
        if let newest = found.last, newest.form == .plain {
            written.append("\(results)/\(newest.name.fileName)")
        }
        self.written = written
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
