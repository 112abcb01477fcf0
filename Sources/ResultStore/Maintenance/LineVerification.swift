// Checks the lines of one segment, in chunks of any size. Left out: how the segment's file is read,
// and what the index contains.

import Clocks
import JSON

/// The state of checking one segment's lines.
struct LineVerification {
    private let file: String
    private let number: Int
    /// Erasures after this number have no effect on the index yet.
    private let erasureLimit: Int
    /// Offset of `pending` in the content.
    private(set) var offset: Int64 = 0
    private var pending: [UInt8] = []
    /// The highest number of the segment's lines so far.
    private var lastSequence = 0

    /// Has no fields and no words, because they are not compared.
    private static let catalog = FieldCatalog(
        fields: [], words: [], vendors: [], contracts: [], outcomes: [], verdicts: [])

    init(file: String, number: Int, erasureLimit: Int) {
        self.file = file
        self.number = number
        self.erasureLimit = erasureLimit
    }

    /// Bytes read after the last newline.
    var pendingBytes: Int { pending.count }

    /// Continues at a later offset, where a line begins.
    mutating func skip(to offset: Int64) {
        pending = []
        self.offset = offset
    }

    /// Takes the next bytes.
    ///
    /// O(bytes).
    mutating func add(
        _ bytes: [UInt8], _ lines: inout KnownLines, _ report: inout VerificationReport
    ) {
        var index = pending.count
        pending += bytes
        var start = 0
        while let end = pending[index...].firstIndex(of: UInt8(ascii: "\n")) {
            take(pending[start..<end], at: offset + Int64(start), &lines, &report)
            start = end + 1
            index = start
        }
        pending.removeFirst(start)
        offset += Int64(start)
    }

    private mutating func take(
        _ line: ArraySlice<UInt8>, at offset: Int64, _ lines: inout KnownLines,
        _ report: inout VerificationReport
    ) {
        Pause.giveWay()
        guard RecordLine.isIntact(line) else {
            let isLine = line.starts(with: #"{"crc32":""#.utf8)
            report.add(
                file, offset,
                isLine ? "the line's checksum is wrong" : "the line isn't in the form of a record")
            return
        }
        guard let root = try? JSONDocument(parsing: Array(line)).root else {
            report.add(file, offset, "the line is invalid JSON")
            return
        }
        if let parts = RecordParts(root) {
            check(parts.sequence, at: offset, &report)
            lines.add(parts, file: number, offset: offset, size: line.count)
            report.records += 1
            return
        }
        switch StoredContent(root, catalog: Self.catalog) {
        case .record(let facts, _, let supersedes):
            check(facts.sequence, at: offset, &report)
            report.add(file, offset, "the record's members are not those of a record")
            lines.add(
                RecordParts(facts, supersedes), file: number, offset: offset, size: line.count)
            report.records += 1
        case .erasure(let erasure):
            check(erasure.sequence, at: offset, &report)
            lines.add(erasure, limit: erasureLimit)
            report.erasures += 1
        case nil: report.add(file, offset, Self.fault(of: root))
        }
    }

    private mutating func check(
        _ sequence: Int, at offset: Int64, _ report: inout VerificationReport
    ) {
        if sequence <= lastSequence {
            report.add(file, offset, "seq is \(sequence), which does not follow \(lastSequence)")
        }
        lastSequence = max(lastSequence, sequence)
    }

    /// Why an intact line is neither a record nor an erasure.
    private static func fault(of root: JSONNode) -> String {
        if let id = root["id"]?.string.flatMap({ RecordID($0) }),
            let receivedAt = root["received_at"]?.string.flatMap({ Timestamp($0.utf8) }),
            id.milliseconds != receivedAt.unixMilliseconds
        {
            return "the record's id has another time than received_at"
        }
        return "the line is neither a record nor an erasure"
    }
}
