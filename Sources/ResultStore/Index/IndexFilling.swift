// Reads into an index what it lacks of the segments.

/// Reads segments from where the index ends.
struct IndexFilling {
    private let folder: StoreFolder
    private let index: ResultIndex
    private let onDamage: (RecoveryReport.Damage) -> Void
    /// How many more transactions may only erase.
    private var erasingSteps: Int

    /// Number of records read.
    private(set) var records = 0

    /// Whether it ended at a large erasure that needs more steps.
    private(set) var hasGivenUp = false

    /// - Parameters:
    ///   - erasingSteps: how many transactions may only erase; a large erasure needs many.
    ///   - onDamage: called with each stretch without a valid record, before what follows it is
    ///     indexed.
    init(
        folder: StoreFolder, index: ResultIndex, erasingSteps: Int = .max,
        onDamage: @escaping (RecoveryReport.Damage) -> Void
    ) {
        self.folder = folder
        self.index = index
        self.erasingSteps = erasingSteps
        self.onDamage = onDamage
    }

    /// Reads lines up to a number; returns the range after the last valid line of the last segment,
    /// if that is plain and was read to its end.
    ///
    /// O(bytes not yet indexed). Damage is noted in the index before the records after it, so that
    /// a crash can't lose it.
    ///
    /// - Parameters:
    ///   - segments: in the order in which they were written.
    ///   - target: the number of the last line to read.
    ///   - onProgress: called with the bytes that the index has, and those of all segments.
    mutating func run(
        _ segments: [FoundSegment], through target: Int = .max,
        onProgress: (_ done: Int64, _ of: Int64) throws(StoreError) -> Void
    ) throws(StoreError) -> Range<Int64>? {
        let marks = try index.progress().bytes
        let total = segments.reduce(0) { $0 + $1.size }
        let done = segments.reduce(0) { $0 + (marks[$1.name] ?? 0) }
        var reading = SegmentsReading(segments, after: marks, in: folder, catalog: index.catalog)
        var reported: [SegmentName: Int] = [:]
        while let changes = try reading.next() {
            try report(reading.findings, &reported)
            let wanted = changes.filter { $0.sequence <= target }
            let applied = try index.insert(wanted, erasingIn: &erasingSteps)
            records += wanted.prefix(applied).count { $0.id != nil }
            if applied < wanted.count {
                hasGivenUp = true
                return nil
            }
            try onProgress(done + reading.bytes, max(total, 1))
            if wanted.count < changes.count { break }
        }
        let findings = reading.findings
        try report(findings, &reported)
        var end: Range<Int64>?
        for finding in findings {
            guard let rest = finding.rest else { continue }
            let segment = finding.segment
            if segment.name == segments.last?.name, segment.form == .plain {
                end = rest
            } else {
                try skip(rest, of: segment.name)
            }
        }
        return end
    }

    /// Reports damage that was not reported yet.
    ///
    /// - Parameter reported: the number of stretches of each segment that were.
    private func report(
        _ findings: [SegmentsReading.Finding], _ reported: inout [SegmentName: Int]
    ) throws(StoreError) {
        for finding in findings {
            let name = finding.segment.name
            let known = reported[name] ?? 0
            guard finding.damage.count > known else { continue }
            if known == 0 { try index.noteDamage(in: name) }
            for damage in finding.damage.dropFirst(known) { onDamage(damage) }
            reported[name] = finding.damage.count
        }
    }

    /// Skips the bytes after the last valid line of a segment that isn't appended to any more.
    private func skip(_ rest: Range<Int64>, of segment: SegmentName) throws(StoreError) {
        onDamage(
            RecoveryReport.Damage(
                segment: segment.fileName, offset: rest.lowerBound,
                size: rest.upperBound - rest.lowerBound))
        try index.write { writer, database in
            try writer.mark(segment, rest.upperBound, database)
        }
        try index.noteDamage(in: segment)
    }
}
