// The segments in the order in which they were written, which erasures depend on. That is the order
// of their names, except for days that were begun by a clock that had leapt.

/// A segment's file.
struct FoundSegment {
    let name: SegmentName
    let form: SegmentForm
    /// Bytes of its content.
    let size: Int64
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
        var found: [(first: Int, place: Int, segment: FoundSegment)] = []
        for (place, (name, form)) in try folder.segments().enumerated() {
            // One after another: there may be more files than a process may have open.
            let file = try SegmentFile(name, form, in: folder)
            let segment = FoundSegment(name: name, form: form, size: try file.size())
            let first = try firstSequence(file, name, catalog) ?? found.last?.first ?? 0
            found.append((first, place, segment))
        }
        return found.sorted { ($0.first, $0.place) < ($1.first, $1.place) }.map(\.segment)
    }

    private static func firstSequence(
        _ file: SegmentFile, _ name: SegmentName, _ catalog: FieldCatalog
    ) throws(StoreError) -> Int? {
        let start = try file.read(Limits.firstLineBytes, at: 0)
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
