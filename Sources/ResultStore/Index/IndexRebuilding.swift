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
    private let onDamage: (RecoveryReport.Damage) -> Void
    private let mustStop: () -> Bool

    /// - Parameters:
    ///   - isIntact: whether what the index has is kept.
    ///   - onDamage: called with each stretch without a valid record.
    ///   - mustStop: called between two transactions.
    init(
        folder: StoreFolder, index: ResultIndex, files: SegmentFiles, isIntact: Bool,
        onDamage: @escaping (RecoveryReport.Damage) -> Void, mustStop: @escaping () -> Bool
    ) {
        self.folder = folder
        self.index = index
        self.files = files
        self.isIntact = isIntact
        self.onDamage = onDamage
        self.mustStop = mustStop
    }

    /// Rebuilds the index and makes it available; returns the number of records read.
    ///
    /// O(bytes of all segments), or of what the index lacks if it is kept.
    ///
    /// Throws `closed` when it must stop, `index`, `full` or `file`; the index then stays
    /// unavailable.
    func run() throws(StoreError) -> Int {
        if !isIntact {
            let missing = try missingEnd()
            try index.empty { () throws(StoreError) in try folder.removeIndex() }
            if let missing { try index.noteSequence(missing) }
        }
        var filling = IndexFilling(folder: folder, index: index, onDamage: onDamage)
        var known = try index.progress().sequence
        var isLast = false
        for pass in 1... {
            // New lines arrive while the segments are read. Each pass leaves fewer; the last few
            // are queued.
            let target = index.target(isLast: isLast)
            // Even without new records, a file without a valid line may have appeared.
            if target > known || pass == 1 { try read(&filling, through: target) }
            known = target
            if isLast { break }
            let left = index.target(isLast: false) - known
            isLast = left <= Limits.indexBatchRecords || pass >= Limits.rebuildingPasses
        }
        try index.noteSequence(known)
        index.finish(at: known)
        return filling.records
    }

    /// The last number that was submitted, if the files end before it: it isn't used again, also if
    /// the process ends during the rebuild.
    ///
    /// In other cases the next start continues the rebuild, which it can't with this number.
    /// O(segments).
    private func missingEnd() throws(StoreError) -> Int? {
        let submitted = index.target(isLast: false)
        let segments = try SegmentOrder.ofWriting(folder, index.catalog)
        let end = try SegmentOrder.end(of: segments, in: folder, index.catalog)
        return end.sequence < submitted ? submitted : nil
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
