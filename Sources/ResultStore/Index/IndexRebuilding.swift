// Rebuilds or completes the index from the segments while the journal goes on writing to them.
//
// Invariant: it reads only lines up to a number that was already durable, so nothing of a batch
// that is being written. The caller ensures that no segment is rewritten during the rebuild.

/// Reads all segments into an index that no query uses.
struct IndexRebuilding {
    private let folder: StoreFolder
    private let index: ResultIndex
    private let files: SegmentFiles
    private let isIntact: Bool
    private let mustStop: () -> Bool

    /// - Parameters:
    ///   - isIntact: whether what the index has is kept.
    ///   - mustStop: called between two transactions.
    init(
        folder: StoreFolder, index: ResultIndex, files: SegmentFiles, isIntact: Bool,
        mustStop: @escaping () -> Bool
    ) {
        self.folder = folder
        self.index = index
        self.files = files
        self.isIntact = isIntact
        self.mustStop = mustStop
    }

    /// Rebuilds the index and makes it available; returns what was read.
    ///
    /// O(bytes of all segments), or of what the index lacks if it is kept.
    ///
    /// Throws `closed` when it must stop, `index`, `full` or `file`; the index then stays
    /// unavailable.
    func run() throws(StoreError) -> IndexReading {
        if !isIntact { try index.empty { () throws(StoreError) in try folder.removeIndex() } }
        var filling = IndexFilling(folder: folder, index: index)
        var known = try index.progress().sequence
        var isLast = false
        for pass in 1... {
            // New lines arrive while the segments are read. Each pass leaves fewer; the last few
            // are queued.
            let target = index.target(isLast: isLast)
            if target > known { try read(&filling, through: target) }
            known = target
            if isLast { break }
            let left = index.target(isLast: false) - known
            isLast = left <= Limits.indexBatchRecords || pass >= Limits.rebuildingPasses
        }
        index.finish(at: known)
        return filling.read
    }

    private func read(
        _ filling: inout IndexFilling, through target: Int
    ) throws(StoreError) {
        let segments = try SegmentOrder.ofWriting(folder, index.catalog)
        files.reset(try index.generations(of: segments))
        _ = try filling.run(segments, through: target) { (done, total) throws(StoreError) in
            if mustStop() { throw .closed }
            index.noteProgress(done, of: total)
        }
    }
}
