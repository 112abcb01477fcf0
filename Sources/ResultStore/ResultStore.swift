// Records in, records out: the store as its users see it. See `Journal` for how a record becomes
// durable, `ResultIndex` for how it is found, `Recovery` for what happens at opening.

import Clocks
import Synchronization

/// The results of one data folder.
package final class ResultStore: Sendable {
    /// One page of results.
    package struct Page: Sendable {
        /// Newest first.
        package let lines: [StoredLine]
        /// Where the next page begins; nil on the last one.
        package let next: PageCursor?
        /// Lines that were left out because their checksum is wrong.
        package let damage: [StoreError]
    }

    /// Most results on a page.
    package static let pageLimit = Limits.pageResults

    /// Bytes after which a segment is followed by the next part of its day.
    package static let segmentBytes = Limits.segmentBytes

    /// What opening found and did.
    package let recovery: RecoveryReport

    private let folder: StoreFolder
    private let journal: Journal
    private let index: ResultIndex
    private let readers: SegmentReaders

    /// Opens the store in `folder`, or makes an empty one there.
    ///
    /// Blocks while the index catches up: O(bytes that it lacks), which is nothing after an orderly
    /// stop.
    ///
    /// - Parameters:
    ///   - segmentBytes: when a segment is followed by the next part of its day.
    ///   - onProgress: hears how many records have been indexed so far.
    ///
    /// Throws `locked`, `full`, `file`, `syncFailed` or `index`.
    package init(
        folder path: String, segmentBytes: Int64 = ResultStore.segmentBytes,
        onProgress: (_ records: Int) -> Void = { _ in }
    ) throws(StoreError) {
        let folder = try StoreFolder(path)
        var recovery = Recovery(folder: folder)
        let (index, last, sequence) = try recovery.run(onProgress: onProgress)
        index.start(at: sequence)
        self.folder = folder
        self.index = index
        self.recovery = recovery.report
        readers = SegmentReaders(folder: folder)
        journal = try Journal(
            folder: folder, last: last, sequence: sequence, segmentBytes: segmentBytes,
            onCommit: { index.submit($0) })
    }

    /// Stores a record; returns when it is durable.
    ///
    /// Throws `full` or `file` when the record was not stored, `syncFailed` when that can't be
    /// known, `closed` after `close`.
    package func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        try await journal.append(record)
    }

    /// Results that match, newest first; all that were acknowledged before this call are seen.
    ///
    /// - Parameters:
    ///   - cursor: from an earlier page of an equal filter; nil for the first page.
    ///   - limit: 1 to `pageLimit`.
    package func page(
        matching filter: ResultFilter, after cursor: PageCursor? = nil, limit: Int
    ) async throws(StoreError) -> Page {
        var locations = try await index.locations(
            matching: filter, after: cursor, limit: limit + 1)
        let hasMore = locations.count > limit
        if hasMore { locations.removeLast() }
        var lines: [StoredLine] = []
        var damage: [StoreError] = []
        for location in locations {
            do throws(StoreError) {
                lines.append(try readers.line(at: location))
            } catch .damaged(let segment, let offset) {
                damage.append(.damaged(segment: segment, offset: offset))
            }
        }
        let next =
            hasMore
            ? locations.last.map {
                PageCursor(receivedAt: $0.receivedAt, sequence: $0.sequence, filter: filter)
            } : nil
        return Page(lines: lines, next: next, damage: damage)
    }

    /// The stored line of one result; nil when there is none of that id.
    ///
    /// Throws `damaged` when its checksum is wrong.
    package func line(of id: RecordID) async throws(StoreError) -> StoredLine? {
        guard let location = try await index.location(of: id) else { return nil }
        return try readers.line(at: location)
    }

    /// All inboxes that have received something, by name.
    package func inboxes() async throws(StoreError) -> [InboxSummary] {
        try await index.inboxes()
    }

    /// Stores what was handed in already, closes the files, and gives the folder free.
    package func close() async {
        await journal.close()
        await index.close()
        folder.unlock()
    }
}
