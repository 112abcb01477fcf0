// One line of a segment: how it is written, and how it is checked.
//
//   {"crc32":"9ae0daaf","id":"019a…","seq":42,"kind":"callback","received_at":"…","inbox":…,…}
//
// A record that was decoded again has another line with the same id, with `redecoded_at` after
// `received_at`; the newest line counts. A record that came by a link that an app should have
// opened has `fell_through` and `link` after `flow`, and then, if its receiver didn't answer as
// usual, `answer`.
//
// The checksum covers everything after `"crc32":"…",` up to the closing brace. Keys are in a fixed
// order, so lines can be compared, cut and grepped. Left out: the content of `request` and
// `result`, and how lines are read (`StoredContent`).

import Clocks
import JSON
import Text

/// The format of stored lines.
enum RecordLine {
    /// Bytes of `{"crc32":"9ae0daaf",`, after which the checksum applies.
    static let checkedOffset = 20

    /// The part of a record's line that doesn't depend on its position in the store: an object of
    /// the members from `inbox` on.
    ///
    /// O(size). Runs in the caller's task, so that the writer only has to copy it.
    static func tail(of record: NewRecord) -> [UInt8] {
        let diagnostics = record.diagnostics.json
        var json = JSONWriter(
            reservingCapacity: record.request.json.count + (record.result?.bytes.count ?? 4)
                + diagnostics.count + 256)
        json.object { json in
            json.member("inbox", record.inbox)
            json.member("vendor", record.vendor)
            json.member("contract", record.contract)
            json.member("outcome", record.outcome)
            json.member("verdict", record.verdict)
            json.member("flow", record.flow)
            if let link = record.link {
                json.member("fell_through", link.fellThrough)
                json.key("link")
                json.raw(link.explanation)
            }
            if let answer = record.answer {
                json.key("answer")
                answer.write(to: &json)
            }
            json.key("request")
            json.raw(record.request.json)
            json.key("result")
            if let result = record.result { json.raw(result.bytes) } else { json.null() }
            json.key("diagnostics")
            json.raw(diagnostics)
        }
        return json.bytes
    }

    /// The tail in the text of a record; nil for another text.
    ///
    /// Before it are id, number, kind and times, none of which can contain the name of its first
    /// member.
    static func tail(ofText text: [UInt8]) -> [UInt8]? {
        let name = Array(#","inbox":"#.utf8)
        var place = 0
        while place + name.count <= text.count {
            if text[place...].starts(with: name) {
                return [UInt8(ascii: "{")] + text[(place + 1)...]
            }
            place += 1
        }
        return nil
    }

    /// Bytes that have everything before `inbox` of any record's line.
    static let mostHeadBytes = 256

    /// Whether a record's line, or the beginning of one, says that the record was decoded again.
    static func isDecodedAgain(_ line: [UInt8]) -> Bool {
        let (name, end) = (Array(#","redecoded_at":"#.utf8), Array(#","inbox":"#.utf8))
        var head = line.prefix(mostHeadBytes)
        while !head.isEmpty, !head.starts(with: end) {
            if head.starts(with: name) { return true }
            head = head.dropFirst()
        }
        return false
    }

    /// Appends a record's complete line with its newline.
    ///
    /// O(size).
    static func append(
        id: RecordID, sequence: Int, kind: RecordKind, receivedAt: Timestamp,
        redecodedAt: Timestamp? = nil, tail: [UInt8], to output: inout [UInt8]
    ) {
        let start = begin(&output)
        output.append(text: #""id":""#)
        id.append(to: &output)
        output.append(text: #"","seq":"#)
        output.append(decimal: sequence)
        output.append(text: #","kind":""#)
        output.append(text: kind.rawValue)
        output.append(text: #"","received_at":""#)
        receivedAt.append(to: &output)
        if let redecodedAt {
            output.append(text: #"","redecoded_at":""#)
            redecodedAt.append(to: &output)
        }
        output.append(text: #"","#)
        output.append(contentsOf: tail.dropFirst())
        end(start, &output)
    }

    /// Appends an erasure's complete line with its newline.
    static func append(_ erasure: Erasure, to output: inout [UInt8]) {
        let start = begin(&output)
        output.append(contentsOf: erasure.text.dropFirst())
        end(start, &output)
    }

    private static func begin(_ output: inout [UInt8]) -> Int {
        defer { output.append(text: #"{"crc32":"00000000","#) }
        return output.count
    }

    private static func end(_ start: Int, _ output: inout [UInt8]) {
        var digits: [UInt8] = []
        Checksum.append(Checksum.crc32(output[(start + checkedOffset)...]), to: &digits)
        for (offset, digit) in digits.enumerated() { output[start + 10 + offset] = digit }
        output.append(UInt8(ascii: "\n"))
    }

    /// The number of an intact record's line; nil for an erasure's.
    static func sequence(of line: ArraySlice<UInt8>) -> Int? {
        let name = line.dropFirst(checkedOffset + #""id":"","#.utf8.count + RecordID.textBytes)
        guard name.starts(with: #""seq":"#.utf8) else { return nil }
        let digits = name.dropFirst(#""seq":"#.utf8.count).prefix { $0 != UInt8(ascii: ",") }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Whether a line, without its newline, matches the checksum in it.
    ///
    /// O(size).
    static func isIntact(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count > checkedOffset, line.starts(with: #"{"crc32":""#.utf8) else {
            return false
        }
        var expected: [UInt8] = []
        Checksum.append(Checksum.crc32(line.dropFirst(checkedOffset)), to: &expected)
        return line.dropFirst(10).starts(with: expected + Array(#"","#.utf8))
    }
}
