// A record as lists, tables, events and exports for people show it: without credentials, which
// `Vendors` defines; only the view of a single result shows them.
//
// Left out: backup exports and the record of one id, which show what is stored.

import FoundationEssentials
import JSON
import Problems
import ResultStore
import Text
import Vendors

/// Hides credentials in the text of records.
package enum ListedRecord {
    /// The text of a record, or of some of its members, without credentials.
    ///
    /// O(size).
    package static func text(of record: [UInt8]) -> [UInt8] {
        let text = Redaction.hideShared(in: hidingCaptures(in: record))
        guard hasEncodedBody(text),
            let body = try? JSONDocument(parsing: text).root["request"]?["body"],
            body["encoding"]?.string == "base64", let data = body["data"],
            let octets = data.string.flatMap({ Data(base64Encoded: $0) }).map({ [UInt8]($0) }),
            case let hidden = Redaction.hideShared(in: octets), hidden != octets
        else { return text }
        var json = JSONWriter(reservingCapacity: data.byteRange.count + 64)
        json.value(Data(hidden).base64EncodedString())
        return Array(
            text[..<data.byteRange.lowerBound] + json.bytes + text[data.byteRange.upperBound...])
    }

    /// The record without the credentials that a receiver's path captured in its target, where no
    /// name is beside them.
    ///
    /// O(size).
    static func hidingCaptures(in record: [UInt8]) -> [UInt8] {
        guard record.span.contains(Array(#""parameters":{"#.utf8)),
            let request = try? JSONDocument(parsing: record).root["request"],
            let target = request["target"], let text = target.string
        else { return record }
        let captures = RecordRequest.parameters(in: request)
            .filter { Redaction.isShared($0.name) }.map(\.value)
        guard !captures.isEmpty else { return record }
        let (bytes, slash) = (Array(text.utf8), UInt8(ascii: "/"))
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let components = bytes[..<end].split(separator: slash, omittingEmptySubsequences: false)
            .map { component in
                let decoded = String(percentDecoding: component)
                let isCaptured = decoded.map { captures.contains($0) } ?? false
                return isCaptured ? Array(Redaction.hiddenMark.utf8) : Array(component)
            }
        var json = JSONWriter(reservingCapacity: target.byteRange.count + 64)
        json.string(utf8: Array(components.joined(separator: [slash])) + bytes[end...])
        return Array(
            record[..<target.byteRange.lowerBound] + json.bytes
                + record[target.byteRange.upperBound...])
    }

    /// Whether there may be a Base64 body, in which names can't be searched.
    private static func hasEncodedBody(_ text: [UInt8]) -> Bool {
        text.span.contains(Array(#""encoding":"base64""#.utf8))
    }
}

extension QueryParameters {
    /// Whether the credentials of a single result are hidden too, as for a report that is shared.
    mutating func takeHidesCredentials() -> Bool {
        take("credentials", oneOf: ["shown", "hidden"]) == "hidden"
    }
}
