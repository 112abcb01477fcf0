// Validates the request of an imported line: its parts must be valid in a request, because requests
// and commands are made of them.
//
// Left out: what must not be stored of it; see `RecordImport+Redaction`.

import FoundationEssentials
import JSON
import Problems
import ResultStore
import Text
import Vendors

extension RecordImport {
    /// Checks the `request` member.
    static func checkRequest(_ node: JSONNode) throws(RecordImportError) {
        let request = try ImportedObject(node, known: RecordMembers.requestNames)
        _ = try request.text("method", rule: "a token (RFC 9110 §5.6.2)", where: HTTPText.isToken)
        _ = try request.text("scheme", rule: "http or https") { ["http", "https"].contains($0) }
        _ = try request.text("host", rule: "printable ASCII without spaces, or empty") {
            $0.isEmpty || HTTPText.isTarget($0)
        }
        _ = try request.text(
            "target", rule: "printable ASCII without spaces", where: HTTPText.isTarget)
        _ = try request.text("version", rule: "1.0 to 1.9") { version in
            version.utf8.count == 3 && version.hasPrefix("1.")
                && version.utf8.last?.isDigit ?? false
        }
        _ = try request.text("peer")
        try checkHeaders(try request.required("headers"))
        let body = try request.required("body")
        if body.kind != .null { try checkBody(body) }
        if request.optional("masked") != nil {
            _ = try request.text("masked", rule: "values or beyond_decoding") {
                Masking.Extent(rawValue: $0) != nil
            }
        }
        if request.optional("pinned") != nil {
            _ = try request.text("pinned", rule: "the name of a contract") {
                Contract(rawValue: $0) != nil
            }
        }
        if request.optional("trace") != nil {
            _ = try request.text(
                "trace", rule: "32 hexadecimal digits in lower case", where: TraceParent.isTraceID)
        }
        if let parameters = request.optional("parameters") {
            guard parameters.kind == .object,
                parameters.members.allSatisfy({ $0.value.kind == .string })
            else { throw ImportedObject.error(parameters, "must be an object of strings") }
        }
        if request.optional("delivery") != nil { _ = try request.text("delivery") }
        if let batch = request.optional("batch") { try checkBatch(batch) }
    }

    /// The place of a callback in the list that it came in.
    private static func checkBatch(_ node: JSONNode) throws(RecordImportError) {
        let batch = try ImportedObject(node, known: ["index", "count"])
        guard let index = try batch.required("index").int,
            let count = try batch.required("count").int, index >= 0, index < count
        else {
            throw ImportedObject.error(node, "must have an index from 0 to one below its count")
        }
    }

    private static func checkHeaders(_ headers: JSONNode) throws(RecordImportError) {
        guard headers.kind == .array else {
            throw ImportedObject.error(headers, "must be an array")
        }
        for line in headers.elements {
            guard line.count == 2, let name = line[0]?.string, let value = line[1]?.string else {
                throw ImportedObject.error(line, "must be an array of two strings, name and value")
            }
            guard HTTPText.isToken(name), HTTPText.isFieldValue(value) else {
                throw ImportedObject.error(
                    line, "must be a field's name and value (RFC 9110 §5.1 and §5.5)")
            }
        }
    }

    private static func checkBody(_ node: JSONNode) throws(RecordImportError) {
        let body = try ImportedObject(node, known: ["encoding", "data", "content_coding"])
        let encoding = try body.text("encoding", rule: "utf8 or base64") {
            ["utf8", "base64"].contains($0)
        }
        if body.optional("content_coding") != nil {
            _ = try body.text("content_coding", rule: "gzip") { $0 == "gzip" }
        }
        let data = try body.text("data")
        if encoding == "base64", Data(base64Encoded: data) == nil {
            throw ImportedObject.error(try body.required("data"), "must be Base64")
        }
    }
}
