// The `request` member of a stored record, as `ReceivedRequest` writes it, read back.
//
// Invariant: header lines keep their order, case and repeats; the body's octets are those that were
// kept. Left out: checks of what the members say, but for the Base64 of the body.

import FoundationEssentials
import JSON

/// The request of one stored record.
package struct ExportedRequest {
    /// The content of a request.
    package struct Body {
        /// The octets as they were kept.
        package let octets: [UInt8]
        /// The octets as text; nil when they were kept as Base64.
        package let text: String?
        /// Whether the content came compressed and is kept inflated.
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
    /// Nil when there was none.
    package let body: Body?

    /// Reads the member's value; nil for another shape.
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
        // Where no body is asked for, it has been left out.
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

    /// Where the target points: a URL.
    package var url: String { target.hasPrefix("/") ? "\(scheme)://\(host)\(target)" : target }

    /// The value of the first header line called `name`, which is in lower case.
    package func first(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }
}

extension ExportedRequest.Body {
    /// Reads `{"encoding","data"}`; nil for another shape, and for data that is no Base64.
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
