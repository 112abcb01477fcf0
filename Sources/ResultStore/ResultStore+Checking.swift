// Checks whether a store could be opened while another process has locked it.

/// Checks of a store from outside.
extension ResultStore {
    /// Checks that this process may read and write what opening the store needs, without its lock
    /// and without changing anything.
    ///
    /// A full disk is not an error while there is a reserve. O(segments).
    ///
    /// Throws `file` for what can't be read or written, and `full`.
    package static func check(folder: String) throws(StoreError) {
        try check(folder: folder, on: SystemDisk())
    }

    static func check(folder root: String, on disk: any Disk) throws(StoreError) {
        try checkFiles(in: root, on: disk) { $0 == StoreFolder.indexName }
        let results = root + "/results"
        try checkFiles(in: results, on: disk) { SegmentName.parse($0) != nil }
        // If this process ends here, the next start removes a file with this suffix.
        let probe = results + "/takeover" + StoreFolder.unfinishedSuffix
        do throws(StoreError) {
            _ = try disk.open(probe)
        } catch .full {}
        try disk.remove(probe)
        // The one that has the store may have to index an erasure before it closes it, or this one
        // when it opens it.
        let reserve = Reserve(root: root)
        try reserve.open()
        if reserve.isMissing, !reserve.hasRoomToErase(1) { throw .full }
    }

    private static func checkFiles(
        in folder: String, on disk: any Disk, _ isIncluded: (String) -> Bool
    ) throws(StoreError) {
        for name in try disk.names(in: folder) where isIncluded(name) {
            do throws(StoreError) {
                _ = try disk.openReadOnly("\(folder)/\(name)").read(1, at: 0)
            } catch {
                // The process that has the store may have removed it since.
                if try disk.names(in: folder).contains(name) { throw error }
            }
        }
    }
}
