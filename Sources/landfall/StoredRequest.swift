// The way back from a record: its request as bytes again, and its text without the body. The shape
// read here is the one that `ReceivedRequest` writes.

import FoundationEssentials
import PositionedJSON
import ResultStore

/// The request of a stored record.
struct StoredRequest {
    /// The HTTP message: request line, field lines and body as received, but for credentials.
    let bytes: [UInt8]

    /// Reads the text of a record; nil when it has no request of the known shape.
    ///
    /// O(size).
    init?(_ text: [UInt8]) {
        guard let request = try? JSONDocument(parsing: text).root["request"],
            let method = request["method"]?.string, let target = request["target"]?.string,
            let version = request["version"]?.string, let headers = request["headers"]
        else { return nil }
        var bytes = Array("\(method) \(target) HTTP/\(version)\r\n".utf8)
        // A body that came compressed is kept inflated, and its coding is told beside it.
        let isInflated = request["body"]?["content_coding"] != nil
        for header in headers.elements {
            guard let name = header[0]?.string, let value = header[1]?.string else { return nil }
            if isInflated, name.lowercased() == "content-encoding" { continue }
            bytes += "\(name): \(value)\r\n".utf8
        }
        bytes += "\r\n".utf8
        if let body = request["body"], body.kind == .object {
            guard let encoding = body["encoding"]?.string, let data = body["data"]?.string else {
                return nil
            }
            if encoding == "base64" {
                guard let decoded = Data(base64Encoded: data) else { return nil }
                bytes += decoded
            } else {
                bytes += data.utf8
            }
        }
        self.bytes = bytes
    }
}

extension StoredLine {
    /// The record without its request's body, which lists leave out.
    ///
    /// O(size).
    var textWithoutBody: [UInt8] {
        let text = text
        let member = ",\"body\":"
        guard let body = try? JSONDocument(parsing: text).root["request"]?["body"],
            case let start = body.byteRange.lowerBound - member.utf8.count, start > 0,
            text[start..<body.byteRange.lowerBound].elementsEqual(member.utf8)
        else { return text }
        return Array(text[..<start] + text[body.byteRange.upperBound...])
    }
}
