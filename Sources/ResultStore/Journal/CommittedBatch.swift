// What the journal reports when a batch has become durable.

/// Lines that have become durable.
struct CommittedBatch: Sendable {
    let changes: [IndexChange]
    /// The lines, each with its newline.
    let bytes: [UInt8]
    /// Their offset in the segment.
    let start: Int64

    /// A record's line, without its newline.
    func line(of entry: IndexEntry) -> [UInt8] {
        let first = Int(entry.offset - start)
        return Array(bytes[first..<(first + entry.size)])
    }
}
