// A record as queries return it: the bytes of its line, never decoded and encoded again. Only a
// line of an older program, which has no `kind`, gets one.

import Clocks
import JSON

/// The line of one stored record, whose checksum was right when it was read.
package struct StoredLine: Sendable {
    /// The record's `seq`.
    package let sequence: Int
    /// The line as it is stored, without its newline.
    package let stored: [UInt8]

    /// Makes the line of a record that is kept in parts: see `PreparedRecord.tail`.
    ///
    /// O(size).
    package init(
        id: RecordID, sequence: Int, kind: RecordKind, receivedAt: Timestamp,
        redecodedAt: Timestamp?, tail: [UInt8]
    ) {
        var line: [UInt8] = []
        line.reserveCapacity(tail.count + 200)
        RecordLine.append(
            id: id, sequence: sequence, kind: kind, receivedAt: receivedAt,
            redecodedAt: redecodedAt, tail: tail, to: &line)
        line.removeLast()
        self.init(line, sequence)
    }

    init(_ line: [UInt8], _ sequence: Int) {
        stored = line
        self.sequence = sequence
    }

    /// Bytes of the line.
    package var size: Int { stored.count }

    /// The record as a JSON object on one line, without the checksum, which belongs to the file.
    ///
    /// O(size).
    package var text: [UInt8] {
        let text = [UInt8(ascii: "{")] + stored.dropFirst(RecordLine.checkedOffset)
        let number = #"{"id":"","seq":"#.utf8.count + RecordID.textBytes
        guard let end = text.dropFirst(number).firstIndex(of: UInt8(ascii: ",")),
            !text[(end + 1)...].starts(with: #""kind":"#.utf8)
        else { return text }
        return Self.withKind(text, at: end + 1)
    }

    /// The text of a line without `kind` as it would be written today.
    private static func withKind(_ old: [UInt8], at place: Int) -> [UInt8] {
        guard let contract = try? JSONDocument(parsing: old).root["contract"] else { return old }
        let derived = RecordKind.derived(from: contract.string)
        var text = old
        if derived.kind != .callback {
            var json = JSONWriter(reservingCapacity: 32)
            if let name = derived.contract { json.value(name) } else { json.null() }
            text.replaceSubrange(contract.byteRange, with: json.bytes)
        }
        text.insert(contentsOf: "\"kind\":\"\(derived.kind.rawValue)\",".utf8, at: place)
        return text
    }
}
