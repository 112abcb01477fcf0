// The segments in the order in which they were written, which erasures depend on. That is the order
// of their names, but for days that a clock which had leapt began.

/// A segment's file.
struct FoundSegment {
    let name: SegmentName
    let form: SegmentForm
    /// Bytes of its content.
    let size: Int64
}

/// Puts segments in order.
enum SegmentOrder {
    /// All segments of a folder by the number of their first line; one without a valid line follows
    /// the one that its name follows.
    ///
    /// O(segments), where their first lines are intact.
    static func ofWriting(
        _ folder: StoreFolder, _ catalog: FieldCatalog
    ) throws(StoreError) -> [FoundSegment] {
        var found: [(first: Int, place: Int, segment: FoundSegment)] = []
        for (place, (name, form)) in try folder.segments().enumerated() {
            // One after another: there may be more than a process may have open.
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
            // Reading a long line whole would cost as much as the rest of opening.
            return sequence
        }
        var reading = try SegmentReading(file, name, from: 0, catalog: catalog)
        return try reading.next()?.first?.sequence
    }
}
