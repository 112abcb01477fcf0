// The `request` member of a stored record, parsed; `RecordRequest` writes it.
//
// Invariant: header lines keep their order, case and repetitions; the body's bytes are those
// stored. Left out: validation of the values, except the Base64 of the body.

import FoundationEssentials
import JSON

/// The request of one stored record.
package struct ExportedRequest {
    /// The body of a request.
    package struct Body {
        /// The bytes as they are stored.
        package let octets: [UInt8]
        /// The bytes as text; nil if they are stored as Base64.
        package let text: String?
        /// Whether the body arrived compressed and is stored decompressed.
        package let isInflated: Bool
    }

    package let method: String
    package let scheme: String
    package let host: String
    package let target: String
    /// Such as `1.1`.
    package let version: String
    package let peer: String
    package let headers: [(name: String, value: String)]
    /// Nil if the request had none.
    package let body: Body?

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
    package var url: String { target.hasPrefix("/") ? "\(scheme)://\(host)\(target)" : target }

    /// The value of the first header line with this name; `name` is in lower case.
    package func first(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }
}

extension ExportedRequest.Body {
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
