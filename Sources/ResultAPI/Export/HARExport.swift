// Records as an HTTP archive (HAR 1.2), for browsers' network panels and proxies.
//
// Invariant: prefix, entries and suffix in this order are one JSON text. Left out: the response's
// content, which isn't stored, and timings, which a record doesn't have.

import FoundationEssentials
import HTTP1
import JSON
import LinkPatterns
import ResultStore
import Text
import Vendors

/// The parts of a HAR file.
package struct HARExport {
    private let version: String

    /// - Parameter version: the program's version, which the archive names as its creator.
    package init(version: String) {
        self.version = version
    }

    /// The text before the first entry.
    package var prefix: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("log")
        json.beginObject()
        json.member("version", "1.2")
        json.object("creator") { json in
            json.member("name", "landfall")
            json.member("version", version)
        }
        json.key("entries")
        json.beginArray()
        return json.bytes
    }

    /// The text after the last entry.
    package var suffix: [UInt8] { Array("]}}\n".utf8) }

    /// The entry for a record, with a leading comma unless it is the first; nil if it can't be
    /// read.
    ///
    /// O(size).
    package func entry(of text: [UInt8], isFirst: Bool) -> [UInt8]? {
        guard let record = ExportedRecord(text) else { return nil }
        var json = JSONWriter(reservingCapacity: text.count + 1024)
        json.object { json in
            json.member("startedDateTime", record.receivedAt.description)
            json.member("time", 0)
            json.key("request")
            Self.write(record.request, to: &json)
            json.key("response")
            Self.writeResponse(of: record, to: &json)
            json.object("cache") { _ in }
            json.object("timings") { json in
                for phase in ["send", "wait", "receive"] { json.member(phase, 0) }
            }
            // In HAR, the name of a custom member begins with an underscore.
            json.object("_landfall") { json in
                json.member("id", record.id)
                json.member("seq", record.sequence)
                json.member("inbox", record.inbox)
                json.member("vendor", record.vendor)
                json.member("outcome", record.outcome)
                json.member("verdict", record.verdict)
            }
        }
        return isFirst ? json.bytes : [UInt8(ascii: ",")] + json.bytes
    }

    private static func write(_ request: StoredRequest, to json: inout JSONWriter) {
        json.object { json in
            json.member("method", request.method)
            json.member("url", request.url)
            json.member("httpVersion", "HTTP/" + request.version)
            writeNoCookies(to: &json)
            json.key("headers")
            writePairs(request.headers, to: &json)
            json.key("queryString")
            writePairs(queryParameters(of: request.target), to: &json)
            json.member("headersSize", -1)
            guard let body = request.body else { return json.member("bodySize", 0) }
            // The size on the wire is unknown for a body that is stored decompressed.
            json.member("bodySize", body.isInflated ? -1 : body.octets.count)
            json.object("postData") { json in
                json.member("mimeType", request.first("content-type") ?? "")
                if let text = body.text { return json.member("text", text) }
                json.member("text", Data(body.octets).base64EncodedString())
                // HAR 1.2 defines this member for responses only; the draft of 1.3 and programs
                // that read archives accept it here too.
                json.member("encoding", "base64")
            }
        }
    }

    /// The response that the request got, as far as the record shows it.
    private static func writeResponse(of record: ExportedRecord, to json: inout JSONWriter) {
        let status = status(of: record)
        json.object { json in
            json.member("status", status?.code ?? 0)
            json.member("statusText", status?.phrase ?? "")
            json.member("httpVersion", "HTTP/1.1")
            writeNoCookies(to: &json)
            json.array("headers") { _ in }
            json.object("content") { json in
                json.member("size", 0)
                json.member("mimeType", "application/json")
            }
            json.member("redirectURL", "")
            json.member("headersSize", -1)
            json.member("bodySize", -1)
        }
    }

    /// The status of the response; nil for a delivery that got none, and if the record doesn't have
    /// it: that of an opened link, and of a call that the sandbox refused.
    private static func status(of record: ExportedRecord) -> Status? {
        switch RecordKind(rawValue: record.kind) {
        case .delivery, .stray: return record.result["status"]?.int.map { Status(code: $0) }
        case .registration: return record.result["http_status"]?.int.map { Status(code: $0) }
        case .launch:
            return LinkURL(record.request.url).path == APIPath.launches ? Status.created : nil
        case .callback, nil: break
        }
        if record.diagnosticCodes.contains(RecordDiagnostics.refusedCode) {
            return Status.unauthorized
        }
        if let answered = record.answered { return Status(code: answered) }
        if Redecoding.isEmulated(Vendor(rawValue: record.vendor), record.result) { return nil }
        return CallbackReply.status(of: record.verdict)
    }

    /// Cookies are credentials and never stored.
    private static func writeNoCookies(to json: inout JSONWriter) {
        json.array("cookies") { _ in }
    }

    private static func writePairs(
        _ pairs: [(name: String, value: String)], to json: inout JSONWriter
    ) {
        json.array { json in
            for pair in pairs {
                json.object { json in
                    json.member("name", pair.name)
                    json.member("value", pair.value)
                }
            }
        }
    }

    /// The parameters after the target's question mark, decoded as forms are.
    private static func queryParameters(of target: String) -> [(name: String, value: String)] {
        let octets = Array(target.utf8)
        guard let mark = octets.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return octets[(mark + 1)...].split(separator: UInt8(ascii: "&")).map { parameter in
            let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
            return (unescape(parameter[..<end]), unescape(parameter[end...].dropFirst()))
        }
    }

    /// Text whose decoded bytes are not UTF-8 stays encoded.
    private static func unescape(_ text: ArraySlice<UInt8>) -> String {
        let octets = PercentEncoding.decode(text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
        return String(validating: octets, as: UTF8.self) ?? String(decoding: text, as: UTF8.self)
    }
}
