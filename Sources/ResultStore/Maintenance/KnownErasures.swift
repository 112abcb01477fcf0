// Decides which damaged lines must be removed: those whose record is erased, as far as that can
// still be read.
//
// A damaged line is removed if its id is that of an erased record, if its inbox was erased, or if
// its id contains a time whose records were erased. A line whose id and inbox can't be read stays;
// verification reports it. Left out: where lines are (`SegmentRewriting`).

import Clocks
import JSON

/// All erasures of a store, for lines that the index can't know.
struct KnownErasures: Sendable {
    private var records: [RecordID: Int] = [:]
    /// `"inbox":"…"` as lines contain it.
    private var inboxes: [[UInt8]: ErasedBounds] = [:]
    private var moments = ErasedBounds()

    mutating func add(_ erasure: Erasure) {
        switch erasure.scope {
        case .record(let id): records[id] = max(records[id] ?? 0, erasure.sequence - 1)
        case .inbox(let name, let through):
            if name.isEmpty { return }
            inboxes[Self.member(name), default: ErasedBounds()].add(through, by: erasure.sequence)
        // Verdicts and kinds are not searched in damaged lines.
        case .unmatched, .deliveries, .strays: break
        case .receivedBefore(let moment):
            moments.add(Erasure.Bound(receivedAt: moment, .min), by: erasure.sequence)
        }
    }

    private static func member(_ inbox: String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 64)
        json.object { $0.member("inbox", inbox) }
        return Array(json.bytes.dropFirst().dropLast())
    }

    /// Whether a damaged line holds an erased record.
    ///
    /// O(size).
    func affect(_ line: ArraySlice<UInt8>) -> Bool {
        // A line whose number can't be read counts as old.
        let sequence = RecordLine.legibleSequence(line) ?? 0
        let id = RecordLine.legibleID(line)
        if let through = id.flatMap({ records[$0] }), sequence <= through { return true }
        let moment = id.map { Timestamp(unixMilliseconds: $0.milliseconds) }
        if moments.cover(receivedAt: moment, sequence) { return true }
        guard !inboxes.isEmpty, let member = Self.inboxMember(line) else { return false }
        return inboxes[Array(member)]?.cover(receivedAt: moment, sequence) ?? false
    }

    /// The first `"inbox":"…"` of a line.
    private static func inboxMember(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = Array(#""inbox":""#.utf8)
        var rest = line
        while let start = rest.firstIndex(of: name[0]) {
            rest = rest[start...]
            if rest.starts(with: name) {
                var end = start + name.count
                while end < line.endIndex, line[end] != UInt8(ascii: "\"") {
                    end += line[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                return end < line.endIndex ? line[start...end] : nil
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
