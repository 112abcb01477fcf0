// Reads into an index what it lacks of the segments.

/// What the index got from the segments.
package struct IndexReading: Sendable, Equatable {
    /// Number of records.
    package internal(set) var records = 0

    /// Stretches without a valid record.
    package internal(set) var damage: [RecoveryReport.Damage] = []
}

/// Reads segments from where the index ends.
struct IndexFilling {
    let folder: StoreFolder
    let index: ResultIndex
    private(set) var read = IndexReading()

    init(folder: StoreFolder, index: ResultIndex) {
        self.folder = folder
        self.index = index
    }

    /// Reads lines up to a number; returns the range after the last valid line of the last segment,
    /// if that is plain and was read to its end.
    ///
    /// O(bytes not yet indexed). A damaged stretch is noted in the index before anything after it
    /// is, so that a process that ends meanwhile leaves nothing out.
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
        var noted: Set<SegmentName> = []
        while let changes = try reading.next() {
            try noteDamage(in: reading.findings, &noted)
            let wanted = changes.filter { $0.sequence <= target }
            try index.insert(wanted)
            read.records += wanted.count { $0.id != nil }
            try onProgress(done + reading.bytes, max(total, 1))
            if wanted.count < changes.count { break }
        }
        let findings = reading.findings
        try noteDamage(in: findings, &noted)
        var end: Range<Int64>?
        for finding in findings {
            read.damage += finding.damage
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

    private func noteDamage(
        in findings: [SegmentsReading.Finding], _ noted: inout Set<SegmentName>
    ) throws(StoreError) {
        for finding in findings where !finding.damage.isEmpty {
            if noted.insert(finding.segment.name).inserted {
                try index.noteDamage(in: finding.segment.name)
            }
        }
    }

    /// Skips the bytes after the last valid line of a segment that is not the last.
    private mutating func skip(
        _ rest: Range<Int64>, of segment: SegmentName
    ) throws(StoreError) {
        read.damage.append(
            RecoveryReport.Damage(
                segment: segment.fileName, offset: rest.lowerBound,
                size: rest.upperBound - rest.lowerBound))
        try index.write { writer, database in
            try writer.mark(segment, rest.upperBound, database)
        }
        try index.noteDamage(in: segment)
    }
}
