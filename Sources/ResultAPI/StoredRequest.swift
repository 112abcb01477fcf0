// The `request` member of a stored record, parsed; `RecordRequest` writes it.
//
// Invariant: header lines keep their order, case and repetitions; the body's bytes are those
// stored. Left out: validation of the values, except the Base64 of the body.

import FoundationEssentials
import HTTP1
import JSON
import ResultStore
import Text
import Vendors

/// The request of one stored record.
package struct StoredRequest {
    /// The body of a request.
    package struct Body {
        /// The bytes as they are stored.
        package let octets: [UInt8]
        /// The bytes as text; nil if they are stored as Base64.
        let text: String?
        /// Whether the body arrived compressed and is stored decompressed.
        let isInflated: Bool
    }

    let method: String
    let scheme: String
    let host: String
    let target: String
    /// Such as `1.1`.
    let version: String
    let peer: String
    /// Whether values were masked before it was stored.
    package let isMasked: Bool
    /// Whether its body was one of a list.
    let isOfList: Bool
    let headers: [(name: String, value: String)]
    /// Nil if the request had none.
    package let body: Body?

    /// Parses the request in the text of a record; nil if it has another structure.
    ///
    /// O(size).
    package init?(ofRecord text: [UInt8]) {
        guard let request = try? JSONDocument(parsing: text).root["request"] else { return nil }
        self.init(request)
    }

    /// Parses the member's value; nil if it has another structure.
    ///
    /// O(size).
    package init?(_ request: JSONNode) {
        guard let method = request["method"]?.string, let scheme = request["scheme"]?.string,
            let host = request["host"]?.string, let target = request["target"]?.string,
            let version = request["version"]?.string, let peer = request["peer"]?.string,
            let lines = request["headers"], lines.kind == .array
        else { return nil }
        var headers: [(name: String, value: String)] = []
        for line in lines.elements {
            guard let name = line[0]?.string, let value = line[1]?.string else { return nil }
            headers.append((name, value))
        }
        isMasked = request["masked"] != nil
        isOfList = request["batch"] != nil
        // The member is absent if the record was cut down to other members.
        let content = request["body"]
        if content == nil || content?.kind == .null {
            body = nil
        } else {
            guard let content, let read = Body(content) else { return nil }
            body = read
        }
        self.method = method
        self.scheme = scheme
        self.host = host
        self.target = target
        self.version = version
        self.peer = peer
        self.headers = headers
    }

    /// The URL of the target.
    var url: String { target.hasPrefix("/") ? "\(scheme)://\(host)\(target)" : target }

    /// The value of the first header line with this name; `name` is in lower case.
    func first(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }
}

extension StoredRequest.Body {
    /// Parses `{"encoding","data"}`; nil for another structure and for invalid Base64.
    package init?(_ body: JSONNode) {
        guard let encoding = body["encoding"]?.string, let data = body["data"]?.string else {
            return nil
        }
        switch encoding {
        case "utf8":
            octets = Array(data.utf8)
            text = data
        case "base64":
            guard let decoded = Data(base64Encoded: data) else { return nil }
            octets = [UInt8](decoded)
            text = nil
        default: return nil
        }
        isInflated = body["content_coding"] != nil
    }
}

extension StoredRequest {
    /// The input of the decoders as it was received, without credentials.
    var callback: Callback {
        let octets = body?.octets ?? []
        let type = first("content-type").map { Array($0.utf8)[...] }
        let ids = IdempotencyKey.deliveryNames.lazy.compactMap { name in
            headers.first { $0.name.lowercased() == name && !$0.value.isEmpty }?.value
        }
        return Callback(
            target: Array(target.utf8),
            body: octets.isEmpty ? nil : Callback.Body(octets, contentType: type),
            webhookID: method == "POST" ? ids.first : nil)
    }

    /// Whether the body isn't what was received: it was one of a list, or values were redacted or
    /// masked.
    ///
    /// O(body).
    package var isChanged: Bool {
        if isMasked || isOfList { return true }
        guard let octets = body?.octets else { return false }
        return octets.span.contains(Array(Redaction.mark.utf8))
    }

    /// The target as a request line can have it.
    var validTarget: String {
        let path = target.prefix { $0 != "?" }
        return Self.escapingMark(String(path)) + target[path.endIndex...]
    }

    /// The host as a request can have it.
    var validHost: String { Self.escapingMark(host) }

    /// The field lines as a request can have them.
    var validHeaders: [(name: String, value: String)] {
        headers.map { header in
            let isHost = header.name.lowercased() == "host"
            return isHost ? (header.name, Self.escapingMark(header.value)) : header
        }
    }

    /// Escapes the mark of redaction, because a path or host has no brackets (RFC 3986 §3).
    private static func escapingMark(_ text: String) -> String {
        text.replacing(Redaction.mark, with: "%5Bredacted%5D")
    }

    /// The request as it was received, without credentials; nil if no request can have this head.
    ///
    /// O(size of the head).
    package var request: Request? {
        var head = "\(method) \(validTarget) HTTP/\(version)\r\n"
        for (name, value) in validHeaders { head += "\(name): \(value)\r\n" }
        return Request(
            Array((head + "\r\n").utf8),
            from: RequestOrigin(peer: peer, isSecure: scheme == "https", host: validHost))
    }

    /// The HTTP message: request line, field lines and body as received, without credentials, and
    /// with the length of the stored body.
    var message: [UInt8] {
        var head = "\(method) \(target) HTTP/\(version)\r\n"
        for (name, value) in withStoredLength(headers) { head += "\(name): \(value)\r\n" }
        return Array((head + "\r\n").utf8) + (body?.octets ?? [])
    }

    /// Field lines for the body as it is stored: decompressed and whole, however it was received,
    /// so its length is its size.
    func withStoredLength(
        _ lines: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        var sent: [(name: String, value: String)] = []
        var hasLength = false
        for (name, value) in lines {
            switch name.lowercased() {
            case "content-encoding" where body?.isInflated == true: continue
            case "content-length", "transfer-encoding":
                if hasLength { continue }
                let own = name.lowercased() == "content-length" ? name : "Content-Length"
                sent.append((own, "\(body?.octets.count ?? 0)"))
                hasLength = true
            default: sent.append((name, value))
            }
        }
        return sent
    }
}
