// Splits a segment's bytes into lines and tells valid records from everything else. A value without
// a file: bytes come in by any cut.

/// Finds the valid records of a segment.
struct SegmentScanner {
    let segment: SegmentName

    /// Behind the last valid line.
    private(set) var endOfLastValidLine: Int64

    /// Stretches without a valid record that are followed by one.
    private(set) var damage: [RecoveryReport.Damage] = []

    /// Where `pending` begins in the file.
    private var offset: Int64
    private var pending: [UInt8] = []

    /// - Parameter offset: of the first byte that will be added; a line begins there.
    init(segment: SegmentName, offset: Int64) {
        self.segment = segment
        self.offset = offset
        endOfLastValidLine = offset
    }

    /// Takes the next bytes and appends the records that they complete.
    ///
    /// O(bytes).
    mutating func add(_ bytes: [UInt8], to entries: inout [IndexEntry]) {
        var lineStart = pending.startIndex
        let searchStart = pending.count
        pending += bytes
        var index = searchStart
        while let end = pending[index...].firstIndex(of: UInt8(ascii: "\n")) {
            take(pending[lineStart..<end], at: offset + Int64(lineStart), &entries)
            lineStart = end + 1
            index = lineStart
        }
        pending.removeFirst(lineStart)
        offset += Int64(lineStart)
    }

    private mutating func take(
        _ line: ArraySlice<UInt8>, at lineOffset: Int64, _ entries: inout [IndexEntry]
    ) {
        guard RecordLine.isIntact(line),
            let entry = RecordLine.entry(of: line, in: segment, at: lineOffset)
        else { return }
        if lineOffset > endOfLastValidLine {
            damage.append(
                RecoveryReport.Damage(
                    segment: segment.fileName, offset: endOfLastValidLine,
                    size: lineOffset - endOfLastValidLine))
        }
        entries.append(entry)
        endOfLastValidLine = lineOffset + Int64(line.count) + 1
    }
}
