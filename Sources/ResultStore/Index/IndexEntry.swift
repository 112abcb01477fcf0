// What the index keeps of one record: where its line stands, and what it is looked up by.

import Clocks

/// One row of the index.
struct IndexEntry: Sendable, Equatable {
    let sequence: Int
    let id: RecordID
    let receivedAt: Timestamp
    let inbox: String
    let vendor: String
    let contract: String?
    let outcome: String?
    let verdict: String
    let flow: String?
    let segment: SegmentName
    /// The line's first byte.
    let offset: Int64
    /// Bytes of the line, without its end.
    let size: Int
}

extension IndexEntry {
    /// The row of a record that has just been written.
    init(
        _ record: NewRecord, id: RecordID, sequence: Int, segment: SegmentName, offset: Int64,
        size: Int
    ) {
        self.init(
            sequence: sequence, id: id, receivedAt: record.receivedAt, inbox: record.inbox,
            vendor: record.vendor, contract: record.contract, outcome: record.outcome,
            verdict: record.verdict, flow: record.flow, segment: segment, offset: offset,
            size: size)
    }
}
