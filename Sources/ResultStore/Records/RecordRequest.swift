// The `request` member of a record: its JSON text, and what queries and comparisons need of it.
//
// Invariant: the facts taken while a request is written equal those read from the text. Left out:
// what may be stored of a request; the caller redacts and masks.

import FoundationEssentials
import JSON
import Text

/// The `request` member of a record.
///
/// A class, because its record is passed on from the decoder to the index, and each copy of a struct
/// would count the references of all its texts.
package final class RecordRequest: Sendable {
    /// The content of a request.
    package struct Body: Sendable {
        let bytes: [UInt8]
        let contentCoding: String?

        /// - Parameter contentCoding: the coding that was removed; nil if there was none.
        package init(_ bytes: [UInt8], contentCoding: String? = nil) {
            self.bytes = bytes
            self.contentCoding = contentCoding
        }
    }

    /// The place of a callback in the list that the request's body was.
    package struct BatchPlace: Sendable {
        /// From 0.
        let index: Int
        let count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }
    }

    /// What queries ask of a request.
    struct Facts: Sendable, Equatable {
        var method: String
        /// In lowercase, without the port.
        var host: String
        /// The target's path, up to its `?`.
        var path: String
        /// The id of a delivery, else the value of the first field with an idempotency key; nil
        /// without either.
        var idempotencyKey: String?
        /// The trace id of the request's `traceparent`; nil if it has none.
        var trace: String?
        /// What the receiver's path captured, by name.
        var parameters: [String: String] = [:]
    }

    /// A JSON object on one line; example in Documentation/API.md.
    package let json: [UInt8]
    let facts: Facts
    /// The places in `json` of the values that repetitions have in common: method, target, body, and
    /// the place in a list.
    private let identity: [Range<Int>]

    /// Writes a request.
    ///
    /// O(size).
    ///
    /// - Parameters:
    ///   - fields: the header fields, in order.
    ///   - masked: how values were masked; nil if none was.
    ///   - pinned: the contract that the receiver expects; nil if it expects none.
    ///   - batch: nil if `body` was the whole body.
    ///   - trace: the trace id of its `traceparent`; nil if it has none.
    ///   - parameters: what the receiver's path captured, each name once.
    ///   - delivery: the id by which a webhook delivery is recognised; nil for other requests.
    package init(
        method: String, scheme: String?, host: String, target: [UInt8], version: String,
        peer: String, fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)],
        body: Body?, masked: String? = nil, pinned: String? = nil, batch: BatchPlace? = nil,
        trace: String? = nil, parameters: [(name: String, value: String)] = [],
        delivery: String? = nil
    ) {
        var json = JSONWriter(
            reservingCapacity: target.count + (body?.bytes.count ?? 0) * 2 + 1024)
        var identity: [Range<Int>] = []
        identity.reserveCapacity(Self.identifying.count)
        var key: (rank: Int, text: String)?
        json.object { json in
            json.key("method")
            identity.append(json.place { $0.value(method) })
            json.member("scheme", scheme)
            json.member("host", host)
            json.key("target")
            identity.append(json.place { $0.string(utf8: target) })
            json.member("version", version)
            json.member("peer", peer)
            json.key("headers")
            json.array { json in
                for field in fields {
                    let text = field.value.span.isASCII ? nil : Self.text(field.value)
                    json.array { json in
                        json.string(utf8: field.name)
                        if let text { json.value(text) } else { json.string(utf8: field.value) }
                    }
                    if let rank = IdempotencyKey.rank(of: field.name), rank < key?.rank ?? .max {
                        key = (rank, text ?? String(decoding: field.value, as: UTF8.self))
                    }
                }
            }
            json.key("body")
            identity.append(json.place { Self.write(body, to: &$0) })
            if let masked { json.member("masked", masked) }
            if let pinned { json.member("pinned", pinned) }
            if let trace { json.member("trace", trace) }
            if !parameters.isEmpty {
                json.key("parameters")
                json.object { json in
                    for parameter in parameters { json.member(parameter.name, parameter.value) }
                }
            }
            if let delivery { json.member("delivery", delivery) }
            guard let batch else { return identity.append(0..<0) }
            json.key("batch")
            identity.append(
                json.place { json in
                    json.object { json in
                        json.member("index", batch.index)
                        json.member("count", batch.count)
                    }
                })
        }
        self.json = json.bytes
        self.identity = identity
        facts = Facts(
            method: method, host: host, target: target[...],
            idempotencyKey: delivery ?? key?.text, trace: trace,
            parameters: Dictionary(
                parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The members of `parameters` in a stored request.
    package static func parameters(in request: JSONNode) -> [(name: String, value: String)] {
        guard let parameters = request["parameters"], parameters.kind == .object else { return [] }
        return parameters.members.compactMap { member in
            guard let name = member.name.string, let value = member.value.string else { return nil }
            return (name, value)
        }
    }

    /// Reads a request that was written before; nil if the text is not a JSON object.
    ///
    /// O(size).
    package init?(json: [UInt8]) {
        guard let root = try? JSONDocument(parsing: json).root, root.kind == .object else {
            return nil
        }
        self.json = json
        facts = Facts(root)
        identity = Self.identifying.map { root[$0]?.byteRange ?? 0..<0 }
    }

    /// The members whose text repetitions have in common.
    private static let identifying = ["method", "target", "body", "batch"]

    /// The text of the members that repetitions of a request have in common, without the coding of
    /// the body; empty for a missing one.
    package var identityTexts: [ArraySlice<UInt8>] {
        Self.withoutCoding(identity.map { json[$0] })
    }

    /// The same texts of a stored request.
    package static func identityTexts(of request: JSONNode) -> [ArraySlice<UInt8>] {
        withoutCoding(identifying.map { request[$0]?.text ?? [] })
    }

    /// The identity texts that the signature of a webhook covers: the body and its place in a list.
    package static func signedTexts(of texts: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        Array(texts.suffix(2))
    }

    /// The texts with that of the body, up to its brace, as if it had not come compressed.
    private static func withoutCoding(_ texts: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        zip(identifying, texts).map { name, text in
            guard name == "body" else { return text }
            let body = text.dropLast()
            return body.suffix(gzip.count) == gzip[...] ? body.dropLast(gzip.count) : body
        }
    }

    /// The end of a body that came compressed, before its brace.
    private static let gzip = Array(#","content_coding":"gzip""#.utf8)

    /// Decodes UTF-8, or else each byte as a character of ISO 8859-1, so that no byte is lost.
    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        String(validating: octets, as: UTF8.self)
            ?? String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    }

    private static func write(_ body: Body?, to json: inout JSONWriter) {
        guard let body else { return json.null() }
        json.object { json in
            if !isMostlyEscapes(body.bytes),
                body.bytes.span.isASCII || String(validating: body.bytes, as: UTF8.self) != nil
            {
                json.member("encoding", "utf8")
                json.key("data")
                json.string(utf8: body.bytes)
            } else {
                json.member("encoding", "base64")
                json.member("data", Data(body.bytes).base64EncodedString())
            }
            if let coding = body.contentCoding { json.member("content_coding", coding) }
        }
    }

    /// Whether a body is larger as JSON text than in Base64: JSON escapes a control character with
    /// six bytes.
    private static func isMostlyEscapes(_ body: [UInt8]) -> Bool {
        guard body.count > 4096 else { return false }
        var controls = 0
        for octet in body where octet < 0x20 {
            if octet != 0x09, octet != 0x0A, octet != 0x0D { controls += 1 }
        }
        return controls * 5 > body.count / 3
    }
}

extension RecordRequest.Facts {
    /// Takes the facts of a request from its authority and target.
    fileprivate init(
        method: String, host: String, target: ArraySlice<UInt8>, idempotencyKey: String?,
        trace: String?, parameters: [String: String]
    ) {
        self.method = method
        self.host = Self.hostName(host)
        path = Self.path(of: target)
        self.idempotencyKey = idempotencyKey
        self.trace = trace
        self.parameters = parameters
    }

    /// Reads the facts of a stored request.
    init(_ request: JSONNode) {
        self.init(
            method: request["method"]?.string ?? "", host: request["host"]?.string ?? "",
            target: request["target"].flatMap { $0.kind == .string ? $0.unescaped : nil } ?? [],
            idempotencyKey: IdempotencyKey.key(in: request),
            trace: request["trace"]?.string,
            parameters: Dictionary(
                RecordRequest.parameters(in: request).map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// The path of a target, up to its query; of one in absolute form (RFC 9112 §3.2.2), without
    /// scheme and authority.
    private static func path(of target: ArraySlice<UInt8>) -> String {
        var path = target.prefix { $0 != UInt8(ascii: "?") }
        if path.first != UInt8(ascii: "/"), let scheme = scheme(of: path) {
            path = path.dropFirst(scheme.count).drop { $0 != UInt8(ascii: "/") }
            if path.isEmpty { return "/" }
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// The scheme with its separator that a target begins with; nil for other targets.
    private static func scheme(of target: ArraySlice<UInt8>) -> [UInt8]? {
        schemes.first { target.span.has($0, at: 0, end: target.count, ignoringCase: true) }
    }

    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

    /// An authority in lowercase, without its port.
    private static func hostName(_ authority: String) -> String {
        let octets = authority.utf8
        guard let colon = octets.lastIndex(of: UInt8(ascii: ":")),
            octets[octets.index(after: colon)...].allSatisfy(\.isDigit),
            let host = String(octets[..<colon])
        else { return authority.lowercased() }
        return host.lowercased()
    }
}

extension JSONWriter {
    /// Writes one value; returns its place in `bytes`.
    fileprivate mutating func place(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
        let start = bytes.count
        write(&self)
        return start..<bytes.count
    }
}
