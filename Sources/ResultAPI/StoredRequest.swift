// Converts the request of a record back to bytes. It reads the structure that `RecordRequest`
// writes.

import FoundationEssentials
import JSON
import ResultStore
import Vendors

/// The request of a stored record.
package struct StoredRequest {
    /// The HTTP message: request line, field lines and body as received, without credentials.
    package let bytes: [UInt8]

    /// The body alone; empty if there was none.
    package let body: [UInt8]

    private let target: [UInt8]
    private let contentType: String?
    private let webhookID: String?

    /// Reads the text of a record; nil if its request has an unknown structure.
    ///
    /// O(size).
    package init?(_ text: [UInt8]) {
        guard let request = try? JSONDocument(parsing: text).root["request"],
            let method = request["method"]?.string, let target = request["target"]?.string,
            let version = request["version"]?.string, let headers = request["headers"]
        else { return nil }
        var bytes = Array("\(method) \(target) HTTP/\(version)\r\n".utf8)
        let body = request["body"]
        guard let content = Self.content(of: body) else { return nil }
        // A compressed body is stored decompressed, with its coding in a member of its own.
        let isInflated = body?["content_coding"] != nil
        var hasLength = content.isEmpty
        for header in headers.elements {
            guard let name = header[0]?.string, let value = header[1]?.string else { return nil }
            switch name.lowercased() {
            case "content-encoding" where isInflated: continue
            case "content-length" where !content.isEmpty,
                "transfer-encoding" where !content.isEmpty:
                // The body is sent whole, so the length is its size, however it was received.
                if !hasLength {
                    let own = name.lowercased() == "content-length" ? name : "Content-Length"
                    bytes += "\(own): \(content.count)\r\n".utf8
                }
                hasLength = true
            default: bytes += "\(name): \(value)\r\n".utf8
            }
        }
        bytes += "\r\n".utf8
        bytes += content
        self.bytes = bytes
        self.target = Array(target.utf8)
        self.body = content
        contentType = headers.elements.first { $0[0]?.string?.lowercased() == "content-type" }
            .flatMap { $0[1]?.string }
        webhookID = method == "POST" ? Self.webhookID(in: headers) : nil
    }

    private static func webhookID(in headers: JSONNode) -> String? {
        for name in WebhookFields.idNames {
            for header in headers.elements where header[0]?.string?.lowercased() == name {
                if let id = header[1]?.string, !id.isEmpty { return id }
            }
        }
        return nil
    }

    /// The input of the decoders as it was received, without credentials.
    package var callback: Callback? {
        Callback(
            target: target,
            body: body.isEmpty
                ? nil : Callback.Body(body, contentType: contentType.map { Array($0.utf8)[...] }),
            webhookID: webhookID)
    }
}

extension StoredRequest {
    /// The bytes of a body; empty if there is none, nil if its structure is unknown.
    private static func content(of body: JSONNode?) -> [UInt8]? {
        guard let body, body.kind == .object else { return [] }
        guard let encoding = body["encoding"]?.string, let data = body["data"]?.string else {
            return nil
        }
        guard encoding == "base64" else { return Array(data.utf8) }
        return Data(base64Encoded: data).map { [UInt8]($0) }
    }
}
