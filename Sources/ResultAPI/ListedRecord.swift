// A record as lists, tables, events and exports for people show it: without credentials, which
// `Vendors` defines; only the view of a single result shows them.
//
// Left out: backup exports and the record of one id, which show what is stored.

import FoundationEssentials
import JSON
import Problems
import Text
import Vendors

/// Hides credentials in the text of records.
package enum ListedRecord {
    /// The text of a record, or of some of its members, without credentials.
    ///
    /// O(size).
    package static func text(of record: [UInt8]) -> [UInt8] {
        let text = Redaction.hideShared(in: record)
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
