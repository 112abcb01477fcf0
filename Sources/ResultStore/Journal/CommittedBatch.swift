// What the journal tells of when it has become durable.

/// Lines that are durable now.
struct CommittedBatch: Sendable {
    let changes: [IndexChange]
    /// The lines.
    let bytes: [UInt8]
    /// Where they begin in their segment.
    let start: Int64

    /// A record's line, without its end.
    func line(of entry: IndexEntry) -> [UInt8] {
        let first = Int(entry.offset - start)
        return Array(bytes[first..<(first + entry.size)])
    }
}
