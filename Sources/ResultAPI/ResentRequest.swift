// The request of a stored callback as it is sent again: without credentials, whose places are
// empty in the store, and without what belongs to the first connection.
//
// Invariant: nothing that was redacted is sent, and each place is named once. What is only the mark
// of redaction is left out: a parameter, a field, a part or a member. Inside a longer value, where
// a sender may have written it, and in a path, where it is escaped, the mark is sent, and its place
// is named. All other bytes of a query or a form stay as they are, also those that aren't UTF-8.

import Foundation
import HTTP1
import JSON
import ResultStore
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
    /// Whether its body was one of a list.
    private let isOfList: Bool

    /// Reads the text of a record; nil if its request has an unknown structure.
    ///
    /// O(size).
    package init?(_ text: [UInt8]) {
        guard let stored = StoredRequest(ofRecord: text) else { return nil }
        method = stored.method
        target = stored.validTarget
        host = stored.validHost
        isMasked = stored.isMasked
        isChanged = stored.isChanged
        isOfList = stored.isOfList
        body = stored.body?.octets ?? []
        let isInflated = stored.body?.isInflated == true
        let named = Self.namesInConnection(of: stored)
        var type = ""
        for (name, value) in stored.headers {
            let key = name.lowercased()
            if key == "content-type" { type = value }
            if Self.isOfConnection(key) || named.contains(key)
                || key == "content-encoding" && isInflated
            {
                continue
            }
            if Self.isMarked(value) {
                if Self.isMark(value) || Self.isRedactedKey(value, of: key) {
                    add("header \(name)")
                    continue
                }
                add("header \(name), inside")
            }
            fields.append((name, value))
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

    /// The field lines for another server, which can't know that the body has changed: without the
    /// signature of a webhook, which covered the former body, and without the id of a whole list.
    package var fieldsForOthers: [(name: String, value: String)] {
        guard isChanged else { return fields }
        return fields.filter { field in
            let name = field.name.lowercased()
            return !Self.ofSignature.contains(name)
                && !(isOfList && IdempotencyKey.deliveryNames.contains(name))
        }
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
            let value = text.split(separator: "=", maxSplits: 1).last ?? ""
            let isMarked = Self.isMarked(text)
            if isMarked, Self.isMark(value) {
                add("\(place) \(text.prefix { $0 != "=" })")
                continue
            }
            if isMarked || Self.isMarkedInside(value) {
                add("\(place) \(text.prefix { $0 != "=" }), inside")
            }
            if !isFirst { kept.append(UInt8(ascii: "&")) }
            isFirst = false
            kept += pair
        }
        return kept
    }

    private mutating func cutBody(_ type: String) {
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            body = cutPairs(body, "form")
            return
        }
        guard body.span.contains(Self.word) else { return }
        let text = String(decoding: body, as: UTF8.self)
        guard Self.isMarked(text) else { return }
        if Self.isMark(text) {
            add("body")
            body = []
        } else if case .multipart(boundary: let boundary?, _) = Callback.Body(
            body, contentType: Array(type.utf8)[...])
        {
            cutParts(boundary)
        } else if let root = try? JSONDocument(parsing: body).root {
            var json = JSONWriter(reservingCapacity: body.count)
            var leftOut = 0
            write(root, at: "", to: &json, &leftOut)
            if leftOut > 0 { body = json.bytes }
        } else {
            add("body, inside")
        }
    }

    /// Leaves out the parts of a form (RFC 7578) that were redacted, also where lines end with LF.
    private mutating func cutParts(_ boundary: [UInt8]) {
        let whole = body
        let delimiter = Array("--".utf8) + boundary
        func isDelimiter(at index: Int) -> Bool {
            let line = whole[index...]
            guard line.starts(with: delimiter) else { return false }
            let rest = line.dropFirst(delimiter.count)
            return rest.first.map { $0 <= 0x20 } ?? true || rest.starts(with: "--".utf8)
        }
        var starts = isDelimiter(at: 0) ? [0] : []
        var index = 0
        while let found = whole.span.index(
            of: [0x0A] + delimiter, from: index, to: whole.count)
        {
            index = found + 1
            if isDelimiter(at: index) { starts.append(index) }
        }
        body = Array(whole[..<(starts.first ?? whole.count)])
        for (start, end) in zip(starts, starts.dropFirst() + [whole.count]) {
            let part = whole[start..<end]
            if Self.isRedacted(part) {
                add("form \(Self.name(ofPart: part))")
            } else {
                body += part
            }
        }
        if Self.isMarked(String(decoding: body, as: UTF8.self)) { add("body, inside") }
    }

    /// Whether a part's content, after the first empty line, is the mark alone.
    private static func isRedacted(_ part: ArraySlice<UInt8>) -> Bool {
        var start = part.startIndex
        while let end = part[start...].firstIndex(of: 0x0A) {
            let isEmpty = end == start || end == start + 1 && part[start] == 0x0D
            start = end + 1
            if !isEmpty { continue }
            let content = part[start...]
            return ["\r\n", "\n"].contains { content.elementsEqual((Redaction.mark + $0).utf8) }
        }
        return false
    }

    private static func name(ofPart part: ArraySlice<UInt8>) -> String {
        let text = String(decoding: part, as: UTF8.self)
        let found = text.firstRange(of: " name=\"") ?? text.firstRange(of: ";name=\"")
        guard let found else { return "" }
        return String(text[found.upperBound...].prefix { $0 != "\"" })
    }

    /// Writes a JSON value without the members and elements that were redacted, and counts these.
    private mutating func write(
        _ node: JSONNode, at pointer: String, to json: inout JSONWriter, _ leftOut: inout Int
    ) {
        switch node.kind {
        case .object:
            json.beginObject()
            for member in node.members {
                let name = member.name.string ?? ""
                let place = "\(pointer)/\(JSONNode.pointerToken(name))"
                if isRedacted(member.value, at: place, &leftOut) { continue }
                json.key(name)
                write(member.value, at: place, to: &json, &leftOut)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for (index, element) in node.elements.enumerated() {
                let place = "\(pointer)/\(index)"
                if isRedacted(element, at: place, &leftOut) { continue }
                write(element, at: place, to: &json, &leftOut)
            }
            json.endArray()
        case .string, .number, .boolean, .null: json.raw(node.text)
        }
    }

    private mutating func isRedacted(
        _ node: JSONNode, at place: String, _ leftOut: inout Int
    ) -> Bool {
        guard let text = node.string, Self.isMarked(text) else { return false }
        guard Self.isMark(text) else {
            add("body \(place), inside")
            return false
        }
        add("body \(place)")
        leftOut += 1
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

    /// Whether a marked text is the mark, which may be in quotation marks, and nothing else.
    private static func isMark(_ text: some StringProtocol) -> Bool {
        let text = text.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        return text == Redaction.mark || text.lowercased() == "%5bredacted%5d"
    }

    /// Whether the value of a field is that of a key that was redacted (`KeptFields`).
    private static func isRedactedKey(_ value: String, of name: String) -> Bool {
        value.hasPrefix(Redaction.mark) && IdempotencyKey.rank(of: Array(name.utf8)[...]) != nil
    }

    /// Whether the escaped value of a pair is Base64 of a text with the mark.
    private static func isMarkedInside(_ escaped: Substring) -> Bool {
        guard escaped.utf8.count > Redaction.mark.utf8.count,
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

    /// Whether a field is about the first connection or its proxies (RFC 9110 §7.6.1), or about what
    /// the first server has.
    ///
    /// CDN-Loop stays, because it ends loops (RFC 8586 §2).
    private static func isOfConnection(_ name: String) -> Bool {
        ofConnection.contains(name) || name.hasPrefix("proxy-")
            || FieldName.isProxyField(name) && name != "cdn-loop"
    }

    private static let ofConnection: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "keep-alive",
        "te", "trailer", "upgrade", "http2-settings", "accept-encoding", "idempotency-key",
        "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range",
        "range",
    ]

    private static let ofSignature: Set<String> = [
        "svix-signature", "svix-timestamp", "webhook-signature", "webhook-timestamp",
    ]

    /// The names, in lower case, of the fields that the sender meant for the first connection only.
    private static func namesInConnection(of stored: StoredRequest) -> Set<String> {
        var names: Set<String> = []
        for (name, value) in stored.headers where name.lowercased() == "connection" {
            for member in value.split(separator: ",") {
                names.insert(member.trimmingCharacters(in: .whitespaces).lowercased())
            }
        }
        return names
    }
}
