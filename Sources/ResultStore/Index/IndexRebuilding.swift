// Rebuilds the index from the segments while the journal goes on writing to them.
//
// Invariant: it reads only lines up to a number that was already durable, so nothing of a batch
// that is being written. The caller ensures that no segment is rewritten during the rebuild.

/// Reads all segments into an empty index.
struct IndexRebuilding {
    private let folder: StoreFolder
    private let index: ResultIndex
    private let files: SegmentFiles
    private let mustStop: () -> Bool
    private var records = 0

    init(
        folder: StoreFolder, index: ResultIndex, files: SegmentFiles, mustStop: @escaping () -> Bool
    ) {
        self.folder = folder
        self.index = index
        self.files = files
        self.mustStop = mustStop
    }

    /// Rebuilds the index and makes it available; returns the number of records read.
    ///
    /// O(bytes of all segments).
    ///
    /// Throws `closed` when it must stop, `index`, `full` or `file`; the index then stays
    /// unavailable.
    mutating func run() throws(StoreError) -> Int {
        try index.empty { () throws(StoreError) in try folder.removeIndex() }
        var known = 0
        var isLast = false
        for pass in 1... {
            // New lines arrive while the segments are read. Each pass leaves fewer; the last few
            // are queued.
            let target = index.target(isLast: isLast)
            try read(from: known, through: target)
            known = target
            if isLast { break }
            let left = index.target(isLast: false) - known
            isLast = left <= Limits.indexBatchRecords || pass >= Limits.rebuildingPasses
        }
        index.finish(at: known)
        return records
    }

    private mutating func read(from known: Int, through target: Int) throws(StoreError) {
        guard target > known else { return }
        let segments = try SegmentOrder.ofWriting(folder, index.catalog)
        files.reset(segments.map { ($0.name, $0.form) })
        let marks = try index.progress().bytes
        let total = segments.reduce(0) { $0 + $1.size }
        let done = segments.reduce(0) { $0 + (marks[$1.name] ?? 0) }
        var reading = SegmentsReading(
            segments, after: marks, in: folder, catalog: index.catalog)
        while let changes = try reading.next() {
            if mustStop() { throw .closed }
            let durable = changes.filter { $0.sequence <= target }
            try index.insert(durable)
            records += durable.count { $0.id != nil }
            index.noteProgress(done + reading.bytes, of: max(total, 1))
            // The end of the durable lines.
            if durable.count < changes.count { break }
        }
        for finding in reading.findings where !finding.damage.isEmpty {
            try index.noteDamage(in: finding.segment.name)
        }
    }
}
