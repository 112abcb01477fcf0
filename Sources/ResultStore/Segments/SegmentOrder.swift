// The segments in the order in which they were written, which erasures depend on. That is the order
// of their names, except for days that were begun by a clock that had leapt.

/// A segment's file.
struct FoundSegment {
    let name: SegmentName
    let form: SegmentForm
    /// Bytes of its content.
    let size: Int64
    /// The number of its first line; that of the segment before it if it has no valid line.
    let first: Int
}

/// Sorts segments.
enum SegmentOrder {
    /// All segments of a folder by the number of their first line; one without a valid line comes
    /// after its predecessor by name.
    ///
    /// O(segments), where their first lines are intact.
    static func ofWriting(
        _ folder: StoreFolder, _ catalog: FieldCatalog
    ) throws(StoreError) -> [FoundSegment] {
        var found: [FoundSegment] = []
        for (name, form) in try folder.segments() {
            // One after another: there may be more files than a process may have open.
            let file = try SegmentFile(name, form, in: folder)
            let first = try firstSequence(file, name, catalog) ?? found.last?.first ?? 0
            found.append(
                FoundSegment(name: name, form: form, size: try file.size(), first: first))
        }
        return found.sorted { ($0.first, $0.name) < ($1.first, $1.name) }
    }

    /// The number of a segment's last valid line, nil without one; and the range after that line,
    /// nil if it is empty.
    ///
    /// O(1) if that line is short, else O(bytes from its beginning to the end).
    static func end(
        of segment: FoundSegment, in folder: StoreFolder, _ catalog: FieldCatalog
    ) throws(StoreError) -> (sequence: Int?, rest: Range<Int64>?) {
        let file = try SegmentFile(segment.name, segment.form, in: folder)
        var count = Int64(Limits.outerLineBytes)
        while true {
            // A first line of which only a part is read fails its checksum.
            let start = max(0, segment.size - count)
            var reading = try SegmentReading(file, segment.name, from: start, catalog: catalog)
            var last: Int?
            while let changes = try reading.next() { last = changes.last?.sequence ?? last }
            if last != nil || start == 0 { return (last, reading.rest) }
            count *= 4
        }
    }

    /// The highest number in segments, 0 without a valid line; and the range after the last valid
    /// line of the last segment, nil if it is empty or that segment isn't plain.
    ///
    /// O(segments), where their last lines are short.
    static func end(
        of segments: [FoundSegment], in folder: StoreFolder, _ catalog: FieldCatalog
    ) throws(StoreError) -> (sequence: Int, rest: Range<Int64>?) {
        var sequence = 0
        var rest: Range<Int64>?
        for segment in segments {
            let last = try end(of: segment, in: folder, catalog)
            sequence = max(sequence, last.sequence ?? 0)
            rest = segment.form == .plain ? last.rest : nil
        }
        return (sequence, rest)
    }

    private static func firstSequence(
        _ file: SegmentFile, _ name: SegmentName, _ catalog: FieldCatalog
    ) throws(StoreError) -> Int? {
        let start = try file.read(Limits.outerLineBytes, at: 0)
        if let end = start.firstIndex(of: UInt8(ascii: "\n")) {
            if RecordLine.isIntact(start[..<end]),
                let content = StoredContent(start[..<end], catalog: catalog)
            {
                return content.sequence
            }
        } else if let sequence = RecordLine.legibleSequence(start[...]) {
            // Reading a long line completely would cost as much as the rest of opening.
            return sequence
        }
        var reading = try SegmentReading(file, name, from: 0, catalog: catalog)
        return try reading.next()?.first?.sequence
    }
}
