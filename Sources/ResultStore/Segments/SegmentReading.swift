// Reads a segment's valid lines, part by part, from the beginning of a line to the segment's end.

/// The changes in a segment's lines, in their order.
struct SegmentReading {
    private let file: SegmentFile
    private let size: Int64
    private var scanner: SegmentScanner

    /// Bytes of the content that have been read.
    private(set) var position: Int64

    /// - Parameter mark: offset where a line begins.
    init(
        _ file: SegmentFile, _ segment: SegmentName, from mark: Int64, catalog: FieldCatalog
    ) throws(StoreError) {
        self.file = file
        size = try file.size()
        scanner = SegmentScanner(segment: segment, offset: mark, catalog: catalog)
        position = mark
    }

    /// The next changes, possibly empty; nil at the end.
    ///
    /// O(bytes); reads `scanBytes` at once.
    mutating func next() throws(StoreError) -> [IndexChange]? {
        var changes: [IndexChange] = []
        while position < size, changes.count < Limits.indexBatchRecords {
            let bytes = try file.read(Limits.scanBytes, at: position)
            guard !bytes.isEmpty else {
                guard let next = file.nextReadable(after: position) else { break }
                scanner.skip(to: next)
                position = next
                continue
            }
            position += Int64(bytes.count)
            scanner.add(bytes, to: &changes)
        }
        return changes.isEmpty ? nil : changes
    }

    /// Stretches without a valid line that are followed by one.
    var damage: [RecoveryReport.Damage] { scanner.damage }

    /// The range after the last valid line, once everything has been read; nil if it is empty.
    var rest: Range<Int64>? {
        let end = scanner.endOfLastValidLine
        return end < size ? end..<size : nil
    }
}
