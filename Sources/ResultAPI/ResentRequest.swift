// The request of a stored callback as it is sent again: without credentials, whose places are
// empty in the store, and without what belongs to the first connection.
//
// Invariant: nothing that was redacted is sent, and each place is named once. All other bytes of a
// query or a form stay as they are, also those that aren't UTF-8. In a path, and in Base64 in a
// parameter, the mark of redaction isn't removed: it is sent, escaped in a path, and its place is
// named.

import Foundation
import JSON
import Text
import Vendors

/// A stored request, ready to be sent again.
package struct ResentRequest: Sendable {
    package let method: String
    /// Path and query.
    package private(set) var target: String
    /// Field lines besides those for the connection, the host and the length.
    package private(set) var fields: [(name: String, value: String)] = []
    package private(set) var body: [UInt8]
    /// The places of credentials that are left out, such as `header Authorization`.
    package private(set) var redacted: [String] = []
    /// The host that the request was sent to.
    let host: String
    /// Whether its values are pseudonyms.
    package let isMasked: Bool
    /// Whether its body isn't what was received first.
    package let isChanged: Bool

    /// Reads the text of a record; nil if its request has an unknown structure.
    ///
    /// O(size).
    package init?(_ text: [UInt8]) {
        guard let stored = StoredRequest(ofRecord: text) else { return nil }
        method = stored.method
        target = stored.validTarget
        host = stored.host
        isMasked = stored.isMasked
        isChanged = stored.isChanged
        body = stored.body?.octets ?? []
        let isInflated = stored.body?.isInflated == true
        var type = ""
        for (name, value) in stored.headers {
            let key = name.lowercased()
            if key == "content-type" { type = value.lowercased() }
            if Self.isOfConnection(key) || key == "content-encoding" && isInflated { continue }
            if Self.isMarked(value) {
                add("header \(name)")
            } else {
                fields.append((name, value))
            }
        }
        cutTarget()
        cutBody(type)
    }

    /// The head as HTTP/1.1 writes it, for a request that never leaves this process.
    package var head: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// The escaped query; nil without one.
    var query: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }

    /// A URL with the query of this request after its own.
    package func url(at target: String) -> String {
        let base = target.prefix { $0 != "#" }
        guard let query, !query.isEmpty else { return String(base) }
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") ? "" : "&"
        return base + separator + query
    }

    // MARK: Credentials

    private mutating func add(_ place: String) {
        if !redacted.contains(place) { redacted.append(place) }
    }

    private mutating func cutTarget() {
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        let path = String(target[..<mark])
        if Self.isMarked(path) { add("path") }
        let kept = cutPairs(target[mark...].utf8.dropFirst(), "query")
        target = kept.isEmpty ? path : "\(path)?\(String(decoding: kept, as: UTF8.self))"
    }

    /// The pairs of a query or a form without those that were redacted.
    private mutating func cutPairs(_ octets: some Collection<UInt8>, _ place: String) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(octets.count)
        var isFirst = true
        for pair in octets.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let text = String(decoding: pair, as: UTF8.self)
            if Self.isMarked(text) {
                add("\(place) \(text.prefix { $0 != "=" })")
                continue
            }
            if Self.isMarkedInside(text[...]) {
                add("\(place) \(text.prefix { $0 != "=" }), inside")
            }
            if !isFirst { kept.append(UInt8(ascii: "&")) }
            isFirst = false
            kept += pair
        }
        return kept
    }

    private mutating func cutBody(_ type: String) {
        if type.hasPrefix("application/x-www-form-urlencoded") {
            body = cutPairs(body, "form")
            return
        }
        guard body.span.contains(Self.word) else { return }
        let text = String(decoding: body, as: UTF8.self)
        guard Self.isMarked(text) else { return }
        if let root = try? JSONDocument(parsing: body).root {
            var json = JSONWriter(reservingCapacity: body.count)
            write(root, at: "", to: &json)
            body = json.bytes
        } else {
            add("body")
        }
    }

    /// Writes a JSON value without the members and elements that were redacted.
    private mutating func write(_ node: JSONNode, at pointer: String, to json: inout JSONWriter) {
        switch node.kind {
        case .object:
            json.beginObject()
            for member in node.members {
                let name = member.name.string ?? ""
                let place = "\(pointer)/\(JSONNode.pointerToken(name))"
                if isRedacted(member.value, at: place) { continue }
                json.key(name)
                write(member.value, at: place, to: &json)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for (index, element) in node.elements.enumerated() {
                let place = "\(pointer)/\(index)"
                if !isRedacted(element, at: place) { write(element, at: place, to: &json) }
            }
            json.endArray()
        case .string, .number, .boolean, .null: json.raw(node.text)
        }
    }

    private mutating func isRedacted(_ node: JSONNode, at place: String) -> Bool {
        guard let text = node.string, Self.isMarked(text) else { return false }
        add("body \(place)")
        return true
    }

    private static let word = Array("redacted".utf8)

    /// Whether a text has the mark of redaction, plain or percent-encoded.
    private static func isMarked(_ text: some StringProtocol) -> Bool {
        let text = String(text)
        // Few texts have the word at all.
        guard text.utf8Span.span.contains(Self.word) else { return false }
        return text.contains(Redaction.mark) || text.lowercased().contains("%5bredacted%5d")
    }

    /// Whether the value of a pair is Base64 of a text with the mark.
    private static func isMarkedInside(_ pair: Substring) -> Bool {
        guard let escaped = pair.split(separator: "=", maxSplits: 1).last,
            escaped.utf8.count > Redaction.mark.utf8.count,
            let value = escaped.removingPercentEncoding
        else { return false }
        let digits = String(
            decoding: value.utf8.lazy.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "="): nil
                case UInt8(ascii: "-"), UInt8(ascii: " "): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            }, as: UTF8.self)
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        return Data(base64Encoded: digits + padding)
            .map { isMarked(String(decoding: $0, as: UTF8.self)) } ?? false
    }

    /// Whether a field is about the first connection or its proxies (RFC 9110 §7.6.1).
    private static func isOfConnection(_ name: String) -> Bool {
        ofConnection.contains(name) || name.hasPrefix("x-forwarded") || name.hasPrefix("proxy-")
    }

    private static let ofConnection: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "keep-alive",
        "te", "trailer", "upgrade", "forwarded", "via", "accept-encoding", "idempotency-key",
        "if-none-match", "if-modified-since", "range",
    ]
}
