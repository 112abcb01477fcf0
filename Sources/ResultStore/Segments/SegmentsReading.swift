// Reads the lines of all segments in the order of their numbers, which erasures depend on.
//
// Segments follow one another, but a part of a day that was merged into the day's file and then
// restored from a backup belongs between that file's lines. Left out: what the lines change.

/// The changes in the lines of several segments, in the order of their numbers.
struct SegmentsReading {
    /// What a segment contains besides valid lines.
    struct Finding {
        let segment: FoundSegment
        /// Stretches without a valid line that are followed by one.
        let damage: [RecoveryReport.Damage]
        /// The range after the last valid line; nil if it is empty, or not all has been read.
        let rest: Range<Int64>?

        fileprivate init(_ open: Open, hasEnded: Bool) {
            segment = open.segment
            damage = open.reading.damage
            rest = hasEnded ? open.reading.rest : nil
        }
    }

    /// A segment of which lines are being read.
    fileprivate struct Open {
        let segment: FoundSegment
        var reading: SegmentReading
        /// Read and not returned yet.
        var changes: ArraySlice<IndexChange> = []
    }

    private let folder: StoreFolder
    private let marks: [SegmentName: Int64]
    private let catalog: FieldCatalog
    /// Segments of which no line has been read, in the order of their first numbers.
    private var waiting: ArraySlice<FoundSegment>
    private var open: [Open] = []
    private var ended: [Finding] = []

    /// Bytes of content that have been read.
    private(set) var bytes: Int64 = 0

    /// - Parameters:
    ///   - segments: in the order in which they were written.
    ///   - marks: the offset in each segment after which lines are read; nil for its beginning.
    init(
        _ segments: [FoundSegment], after marks: [SegmentName: Int64], in folder: StoreFolder,
        catalog: FieldCatalog
    ) {
        self.folder = folder
        self.marks = marks
        self.catalog = catalog
        waiting = segments.filter { (marks[$0.name] ?? 0) < $0.size }[...]
    }

    /// What was found in each segment so far.
    var findings: [Finding] { ended + open.map { Finding($0, hasEnded: false) } }

    /// The next changes; nil at the end.
    ///
    /// O(bytes).
    mutating func next() throws(StoreError) -> [IndexChange]? {
        var changes: [IndexChange] = []
        while changes.count < Limits.indexBatchRecords, let (index, bound) = try nextPart() {
            let part = open[index].changes.prefix { $0.sequence <= bound }
            changes += part
            open[index].changes = open[index].changes.dropFirst(part.count)
        }
        return changes.isEmpty ? nil : changes
    }

    /// The segment whose next line has the lowest number, and the number up to which its lines come
    /// before those of all others; nil at the end.
    private mutating func nextPart() throws(StoreError) -> (index: Int, bound: Int)? {
        try fill()
        while let segment = waiting.first, open.allSatisfy({ segment.first <= $0.nextNumber }) {
            waiting = waiting.dropFirst()
            let file = try SegmentFile(segment.name, segment.form, in: folder)
            let mark = marks[segment.name] ?? 0
            open.append(
                Open(
                    segment: segment,
                    reading: try SegmentReading(file, segment.name, from: mark, catalog: catalog)))
            try fill()
        }
        guard let index = open.indices.min(by: { open[$0].nextNumber < open[$1].nextNumber })
        else { return nil }
        // Of lines with the same number, that of the earlier segment is first.
        let others = open.indices.filter { $0 != index }.map {
            $0 < index ? open[$0].nextNumber - 1 : open[$0].nextNumber
        }
        return (index, min(waiting.first?.first ?? .max, others.min() ?? .max))
    }

    /// Reads the next lines of segments that have none left, and ends those without any.
    private mutating func fill() throws(StoreError) {
        for index in open.indices.reversed() where open[index].changes.isEmpty {
            let before = open[index].reading.position
            let changes = try open[index].reading.next()
            bytes += open[index].reading.position - before
            if let changes {
                open[index].changes = changes[...]
            } else {
                ended.append(Finding(open.remove(at: index), hasEnded: true))
            }
        }
    }
}

extension SegmentsReading.Open {
    fileprivate var nextNumber: Int { changes.first?.sequence ?? .max }
}
