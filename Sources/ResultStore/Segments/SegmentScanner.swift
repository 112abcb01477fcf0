// Splits a segment's bytes into lines and separates valid records from everything else. A value
// without a file: bytes come in chunks of any size.

/// Finds the valid records of a segment.
struct SegmentScanner {
    let segment: SegmentName

    /// Offset after the last valid line.
    private(set) var endOfLastValidLine: Int64

    /// Stretches without a valid record that are followed by one.
    private(set) var damage: [RecoveryReport.Damage] = []

    /// Offset of `pending` in the file.
    private var offset: Int64
    private var pending: [UInt8] = []
    private let catalog: FieldCatalog

    /// - Parameter offset: of the first byte that will be added; a line begins there.
    init(segment: SegmentName, offset: Int64, catalog: FieldCatalog) {
        self.segment = segment
        self.offset = offset
        self.catalog = catalog
        endOfLastValidLine = offset
    }

    /// Continues at a later offset, where a line begins, because the bytes in between can't be
    /// read.
    mutating func skip(to offset: Int64) {
        pending = []
        self.offset = offset
    }

    /// Takes the next bytes and appends the records that they complete.
    ///
    /// O(bytes).
    mutating func add(_ bytes: [UInt8], to changes: inout [IndexChange]) {
        var lineStart = pending.startIndex
        let searchStart = pending.count
        pending += bytes
        var index = searchStart
        while let end = pending[index...].firstIndex(of: UInt8(ascii: "\n")) {
            take(pending[lineStart..<end], at: offset + Int64(lineStart), &changes)
            lineStart = end + 1
            index = lineStart
        }
        pending.removeFirst(lineStart)
        offset += Int64(lineStart)
    }

    private mutating func take(
        _ line: ArraySlice<UInt8>, at lineOffset: Int64, _ changes: inout [IndexChange]
    ) {
        guard RecordLine.isIntact(line),
            let content = StoredContent(line, catalog: catalog)
        else { return }
        if lineOffset > endOfLastValidLine {
            damage.append(
                RecoveryReport.Damage(
                    segment: segment.fileName, offset: endOfLastValidLine,
                    size: lineOffset - endOfLastValidLine))
        }
        endOfLastValidLine = lineOffset + Int64(line.count) + 1
        switch content {
        case .record(let facts, let idempotency, let supersedes):
            changes.append(
                .record(
                    IndexEntry(
                        facts: facts, idempotency: idempotency, supersedes: supersedes,
                        segment: segment, offset: lineOffset, size: line.count)))
        case .erasure(let erasure):
            changes.append(.erasure(erasure, segment: segment, end: endOfLastValidLine))
        }
    }
}
