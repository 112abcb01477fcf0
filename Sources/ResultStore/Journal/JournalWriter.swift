// Writes batches of lines to segments: it chooses the segment, the numbers and the bytes.
//
// Invariant: what `write` returned from is durable in a file that still has its name. Each segment
// is begun in a folder that this process has locked. A failed write is truncated. After a failed
// sync nothing more is accepted, because the content of the disk is unknown (a retried sync may
// succeed wrongly). Left out: the tasks that wait for a line.

import Clocks
import JSON

/// The segment that is being written, and the number of the last line.
struct JournalWriter {
    /// A line to be written.
    enum Content: Sendable {
        case record(QueuedRecord)
        case erasure(Erasure.Scope)

        var size: Int {
            switch self {
            case .record(let record): record.tail.count
            case .erasure: 0
            }
        }

        /// Whether it replaces a line that may have been erased since it was read.
        var isReplacement: Bool {
            if case .record(let record) = self { record.replaces != nil } else { false }
        }
    }

    private let folder: StoreFolder
    private let catalog: FieldCatalog
    private let segmentBytes: Int64

    private var segment: OpenSegment?
    /// The name of the segment that was begun last, written to or not.
    private var last: SegmentName?
    /// The highest part of each day.
    private var parts: [String: Int] = [:]
    /// How many other folders had taken the place of the first one when this was last checked.
    private var moves = 0
    /// What is reported as lost with the next commit: the folder has changed, and the index must be
    /// rebuilt up to the numbers in it.
    private var moved: SegmentName?
    /// The number of the last durable line.
    private var sequence: Int
    private var failure: StoreError?
    /// The last erasures of this run, oldest first.
    private var erasures: [Erasure] = []
    /// The number of the last erasure that is no longer in `erasures`.
    private var forgotten = 0
    private var generator = RandomWords()
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - segments: all existing segments.
    ///   - last: the segment that was begun last, and whether it is plain and so can be appended
    ///     to; nil for an empty store.
    ///   - sequence: number of the last line; 0 for none.
    ///   - segmentBytes: size at which a segment is full.
    init(
        folder: StoreFolder, catalog: FieldCatalog, segments: [SegmentName],
        last: (name: SegmentName, isOpen: Bool)?, sequence: Int, segmentBytes: Int64
    ) throws(StoreError) {
        self.folder = folder
        self.catalog = catalog
        self.sequence = sequence
        self.segmentBytes = segmentBytes
        self.last = last?.name
        for name in segments { parts[name.day] = max(parts[name.day] ?? 0, name.part) }
        if let last, last.isOpen { segment = try OpenSegment(last.name, in: folder) }
    }

    /// Makes a batch durable in one segment; on failure, nothing of it remains.
    ///
    /// - Parameter onLoss: called with a segment whose file, or whose folder, was removed, replaced
    ///   or changed by another process; the batch goes into a new one. Another folder is reported
    ///   with the first batch that is durable in it.
    mutating func write(
        _ batch: some Collection<Content>, at now: Timestamp,
        onLoss: (SegmentName) -> Void
    ) throws(StoreError) -> CommittedBatch {
        if let failure { throw failure }
        do throws(StoreError) {
            var ids: [RecordID?]?
            for _ in 0..<Limits.lostSegments {
                let segment = try segment(for: batch, at: now)
                if try segment.isWhole() {
                    var committed = lines(for: batch, ids, in: segment)
                    // If the lost file comes back, its lines are copies.
                    ids = committed.changes.map(\.id)
                    let began = Clock.monotonicMicroseconds
                    try segment.append(output)
                    committed.microseconds = Clock.monotonicMicroseconds - began
                    // If the file was removed during the write, the lines acknowledged now would be
                    // lost. If that can't be checked, the batch counts as durable, so that its
                    // numbers are not used again.
                    if (try? segment.isWhole()) ?? true {
                        sequence = committed.changes.last?.sequence ?? sequence
                        remember(committed.changes)
                        if let lost = moved.take() { onLoss(lost) }
                        return committed
                    }
                }
                self.segment = nil
                do throws(StoreError) {
                    if try follow() { moved = segment.name }
                } catch {
                    // Without a folder, no segment can be begun, which says more.
                    if case .locked = error { throw error }
                }
                if moved != segment.name { onLoss(segment.name) }
            }
            throw .file(
                path: last.map { folder.path(of: $0) } ?? folder.root, operation: "keep",
                reason: "other programs remove or change each new segment")
        } catch {
            if case .syncFailed = error { failure = error }
            folder.alarm.report(error)
            throw error
        }
    }

    /// Whether the record that a replacement was read from has been erased since.
    ///
    /// O(erasures that are remembered).
    func isErased(_ content: Content) -> Bool {
        guard case .record(let record) = content, let line = record.replaces else { return false }
        return line < forgotten || erasures.contains { $0.concerns(record, from: line) }
    }

    private mutating func remember(_ changes: [IndexChange]) {
        for case .erasure(let erasure, _, _) in changes { erasures.append(erasure) }
        // Removes half at a time, so that a new erasure doesn't move all others.
        guard erasures.count > Limits.rememberedErasures else { return }
        let count = erasures.count / 2
        forgotten = erasures[count - 1].sequence
        erasures.removeFirst(count)
    }

    /// Appends a batch's lines to the output; returns the changes for the index.
    ///
    /// - Parameter ids: of records that have been given one.
    private mutating func lines(
        for batch: some Collection<Content>, _ ids: [RecordID?]?, in segment: OpenSegment
    ) -> CommittedBatch {
        var changes: [IndexChange] = []
        changes.reserveCapacity(batch.count)
        output.removeAll(keepingCapacity: output.capacity <= 2 * Limits.batchBytes)
        for (place, content) in batch.enumerated() {
            changes.append(
                line(
                    for: content, ids?[place], number: (changes.last?.sequence ?? sequence) + 1,
                    in: segment))
        }
        return CommittedBatch(changes: changes, bytes: output, start: segment.size)
    }

    /// Appends one line to the output.
    private mutating func line(
        for content: Content, _ id: RecordID?, number: Int, in segment: OpenSegment
    ) -> IndexChange {
        let start = output.count
        switch content {
        case .record(let record):
            var facts = record.facts
            let number = max(record.number ?? number, number)
            facts.id =
                record.id ?? id
                ?? RecordID(at: facts.receivedAt.unixMilliseconds, using: &generator)
            facts.sequence = number
            RecordLine.append(
                id: facts.id, sequence: number, kind: facts.kind, receivedAt: facts.receivedAt,
                redecodedAt: record.redecodedAt, tail: record.tail, to: &output)
            return .record(
                IndexEntry(
                    facts: facts, idempotency: record.idempotency,
                    supersedes: record.redecodedAt != nil,
                    isDecodedAgain: record.replaces != nil, segment: segment.name,
                    offset: segment.size + Int64(start), size: output.count - start - 1))
        case .erasure(let scope):
            let erasure = Erasure(
                scope: scope.limited(before: number), sequence: number, erasedAt: .now)
            RecordLine.append(erasure, to: &output)
            return .erasure(
                erasure, segment: segment.name, end: segment.size + Int64(output.count))
        }
    }

    // MARK: Segments

    /// The segment for a batch.
    ///
    /// It is that of the newest record's day if that day is later than the current one, or the next
    /// part if the current one is full or was ended. Late records go into the current day. A future
    /// day is accepted only within the possible error of a clock: a record imported with such a day
    /// doesn't begin it, and a clock that leapt ahead and came back leaves it.
    private mutating func segment(
        for batch: some Collection<Content>, at now: Timestamp
    ) throws(StoreError) -> OpenSegment {
        let horizon = Timestamp(
            unixMilliseconds: now.unixMilliseconds + Limits.clockErrorMilliseconds)
        var newest: Timestamp?
        for case .record(let record) in batch {
            let received = record.facts.receivedAt
            let moment = received > horizon ? now : received
            newest = max(newest ?? moment, moment)
        }
        let day = newest.map { SegmentName(at: $0).day }
        var nextDay = day ?? SegmentName(at: now).day
        if let last, last.day <= SegmentName(at: horizon).day, day.map({ $0 <= last.day }) ?? true {
            if let segment, segment.size < segmentBytes { return segment }
            nextDay = last.day
        }
        // Otherwise the segment could be begun in a folder that another process uses.
        let isMoved = try follow()
        let name = SegmentName(day: nextDay, part: (parts[nextDay] ?? 0) + 1)
        if isMoved { moved = last ?? name }
        let opened = try OpenSegment(name, in: folder)
        segment = opened
        last = name
        parts[name.day] = name.part
        return opened
    }

    /// Locks the folder that has the name now; if that is another one than before, continues after
    /// its segments and its numbers.
    ///
    /// O(1), and O(segments) in another folder.
    ///
    /// Throws `locked` if another process uses that one, or `file`.
    ///
    /// - Returns: whether it is another one.
    private mutating func follow() throws(StoreError) -> Bool {
        let moves = try folder.followLock()
        if moves == self.moves { return false }
        for fileName in try folder.disk.names(in: folder.results) {
            guard let (name, form) = SegmentName.parse(fileName) else { continue }
            parts[name.day] = max(parts[name.day] ?? 0, name.part)
            let size = try SegmentFile(name, form, in: folder).size()
            let found = FoundSegment(name: name, form: form, size: size, first: 0)
            let end = try SegmentOrder.end(of: found, in: folder, catalog)
            sequence = max(sequence, end.sequence ?? 0)
        }
        self.moves = moves
        return true
    }

    /// Ends the current segment: the next batch goes into another one.
    ///
    /// - Parameter day: ends the segment only if it is of an earlier day; nil for any.
    /// - Returns: the segments that are not written to any more; nil if there are none, and after a
    ///   failed sync, because the content of the newest one is then unknown.
    mutating func endSegment(before day: String?) -> EndedSegments? {
        guard failure == nil, !parts.isEmpty else { return nil }
        if let segment, day.map({ segment.name.day < $0 }) ?? true { self.segment = nil }
        return EndedSegments(parts: parts, open: segment?.name)
    }

    /// Closes the file.
    mutating func close() {
        segment = nil
    }
}

/// A record's line, complete but for what its place in the store adds.
///
/// A class, because queues, batches and their parts copy it, and its values have dozens of parts.
final class QueuedRecord: Sendable {
    /// The id of a record that already has one.
    let id: RecordID?
    /// Of the record; id and number are set when it is written.
    let facts: RecordFacts
    let redecodedAt: Timestamp?
    /// The number of the line that it was decoded from.
    let replaces: Int?
    /// The number of a record that already has one; it must be higher than all others.
    let number: Int?
    /// The line from its inbox on; see `RecordLine.tail`.
    let tail: [UInt8]
    /// Hash of its idempotency key; nil if it has none.
    let idempotency: Int64?

    init(_ record: borrowing NewRecord, tail: [UInt8], catalog: borrowing FieldCatalog) {
        var facts = RecordFacts(of: record, catalog: catalog)
        facts.receivedAt = record.receivedAt
        self.facts = facts
        self.tail = tail
        id = record.id
        redecodedAt = record.redecodedAt
        replaces = record.replaces
        number = nil
        idempotency = IdempotencyKey.hash(
            of: record.request.facts, facts, codes: record.diagnostics.codes)
    }

    /// Takes the record of a line of another store; nil if it can't be read.
    ///
    /// O(size).
    ///
    /// - Parameter keepsNumber: whether to store it with the number that it has there.
    init?(_ line: StoredLine, keepingNumber keepsNumber: Bool, catalog: FieldCatalog) {
        let text = line.text
        guard let root = try? JSONDocument(parsing: text).root,
            case .record(let facts, let idempotency, _)? = StoredContent(root, catalog: catalog),
            let tail = RecordLine.tail(ofText: text)
        else { return nil }
        self.facts = facts
        self.tail = tail
        self.idempotency = idempotency
        id = facts.id
        redecodedAt = root["redecoded_at"]?.string.flatMap { Timestamp($0.utf8) }
        replaces = nil
        number = keepsNumber ? facts.sequence : nil
    }
}

/// The segments that were no longer written to at some time.
///
/// A name is used once, so none of them is ever written to again.
struct EndedSegments: Sendable {
    fileprivate let parts: [String: Int]
    fileprivate let open: SegmentName?

    /// Whether a segment had been ended.
    func contains(_ name: SegmentName) -> Bool {
        name != open && name.part <= parts[name.day] ?? 0
    }
}

/// Lines that have become durable.
struct CommittedBatch: Sendable {
    let changes: [IndexChange]
    /// The lines, each with its newline.
    let bytes: [UInt8]
    /// Their offset in the segment.
    let start: Int64
    /// How long writing and syncing them took.
    var microseconds: UInt64 = 0

    /// A record's line, without its newline.
    func line(of entry: IndexEntry) -> [UInt8] {
        let first = Int(entry.offset - start)
        return Array(bytes[first..<(first + entry.size)])
    }
}
