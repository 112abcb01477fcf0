// A JSON document that travelled inside of a parameter or as a body, with the way back from any of
// its bytes to the byte of the request that gave it.
//
// Invariant: a payload exists only when every layer was intact. The first broken one is an error.

import PositionedJSON

/// A vendor's JSON and where it came from.
struct Payload {
    let document: JSONDocument
    private let text: EscapedText
    private let isBase64: Bool

    /// Reads JSON from a parameter's text; nil, with an error, when a layer is broken.
    init?(_ text: EscapedText, findings: inout Findings) {
        let unescaped = text.unescaped()
        if let offset = unescaped.brokenAt {
            findings.addBrokenPercent(.error, text, at: offset)
            return nil
        }
        self.init(Array(unescaped.bytes), from: text, isBase64: false, findings: &findings)
    }

    /// Reads JSON from a parameter's text in Base64; nil, with an error, when a layer is broken.
    ///
    /// Spaces are taken as plus signs. In a form that is exact: `+` is read as it was written.
    init?(base64 original: EscapedText, findings: inout Findings) {
        var text = original
        if text.escaping == .form { text.escaping = .query }
        let unescaped = text.unescaped()
        if let offset = unescaped.brokenAt {
            findings.addBrokenPercent(.error, text, at: offset)
            return nil
        }
        switch Base64Text.decode(unescaped.bytes) {
        case .broken(let index):
            findings.add(
                .error, .base64, "broken_base64", in: text.part,
                at: text.sourceOffset(ofUnescaped: index),
                expected: "a Base64 digit", found: Excerpt.byte(unescaped.bytes.dropFirst(index)))
            return nil
        case .octets(let octets, let repairedAt):
            let isForm = original.escaping == .form
            let rawPlus = isForm ? text.bytes[text.range].firstIndex(of: UInt8(ascii: "+")) : nil
            let repaired = rawPlus ?? repairedAt.map { text.sourceOffset(ofUnescaped: $0) }
            if let repaired { Self.addRepair(in: text.part, at: repaired, findings: &findings) }
            self.init(octets, from: text, isBase64: true, findings: &findings)
        }
    }

    private init?(
        _ json: [UInt8], from text: EscapedText, isBase64: Bool, findings: inout Findings
    ) {
        self.text = text
        self.isBase64 = isBase64
        do {
            document = try JSONDocument(parsing: json)
        } catch {
            findings.add(
                .error, error.kind == .invalidUTF8 ? .utf8 : .json,
                error.kind == .invalidUTF8 ? "invalid_utf8" : "broken_json", in: text.part,
                at: Self.sourceOffset(of: error.offset, in: text, isBase64: isBase64),
                expected: error.expected, found: error.found, hint: error.hint)
            return nil
        }
    }

    /// Adds a finding about the value `node`.
    func add(
        _ severity: Diagnostic.Severity, _ code: String, in layer: Diagnostic.Layer = .model,
        about node: JSONNode, expected: String, found: String? = nil, hint: String? = nil,
        to findings: inout Findings
    ) {
        findings.add(
            severity, layer, code, in: text.part,
            at: Self.sourceOffset(of: node.byteRange.lowerBound, in: text, isBase64: isBase64),
            pointer: node.pointer, expected: expected, found: found ?? Self.description(of: node),
            hint: hint)
    }

    /// Whether the root is an object; adds an error when it is not.
    func requireObject(_ findings: inout Findings) -> Bool {
        if document.root.kind == .object { return true }
        add(
            .error, "not_an_object", in: .json, about: document.root, expected: "an object",
            to: &findings)
        return false
    }

    /// A scalar as it was written, or what kind of container it is.
    private static func description(of node: JSONNode) -> String {
        switch node.kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "the string " + Excerpt.quoted(node.text.dropFirst().dropLast())
        case .number, .boolean, .null:
            String(decoding: node.text.prefix(Limits.maximumExcerptBytes), as: UTF8.self)
        }
    }

    /// The offset in the part of what gave the JSON text's byte `offset`.
    private static func sourceOffset(of offset: Int, in text: EscapedText, isBase64: Bool) -> Int {
        guard isBase64 else { return text.sourceOffset(ofUnescaped: offset) }
        let index = Base64Text.sourceIndex(ofOctet: offset, in: text.unescaped().bytes)
        return text.sourceOffset(ofUnescaped: index)
    }

    private static func addRepair(
        in part: Diagnostic.Part, at offset: Int, findings: inout Findings
    ) {
        findings.add(
            .info, .base64, "base64_plus_repaired", in: part, at: offset,
            expected: "%2B", found: "a plus sign or space",
            hint: "the value was form-encoded: + became a space; send %2B")
    }
}
