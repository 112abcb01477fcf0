// A JSON document that travelled inside of a parameter or as a body, with the way back from any of
// its bytes to the byte of the request that gave it.
//
// Invariant: a payload exists only when every layer could be taken off. Layers that the contract
// doesn't have, such as a second Base64, are taken off with a warning each; the first one that is
// broken is an error. `PayloadReader` does the taking off.

import JSON

/// A vendor's JSON and where it came from.
package struct Payload {
    /// How a contract wraps its JSON.
    enum Wrapping {
        /// Not at all.
        case none
        /// In Base64 of either alphabet.
        case base64
    }

    private(set) var document: JSONDocument
    private let text: EscapedText
    private var layers: [PayloadLayer]

    /// The values of members that repeat, after `keepFirstMembers`.
    private(set) var repetitions: [RepeatedMembers.Values] = []

    /// Reads JSON from a parameter's text; nil, with an error, when a layer is broken.
    ///
    /// Spaces in Base64 are taken as plus signs. In a form that is exact: `+` is read as it was
    /// written.
    init?(_ text: EscapedText, in wrapping: Wrapping = .none, findings: inout Findings) {
        var reader = PayloadReader(text, in: wrapping)
        guard let document = reader.read(&findings) else { return nil }
        self.document = document
        self.text = reader.text
        layers = reader.layers
    }

    /// Where the document starts in its part if its bytes are the part's own; nil otherwise.
    var startInPart: Int? {
        guard text.escaping == .none else { return nil }
        switch layers.first {
        case nil: return text.range.lowerBound
        case .prefix(let count) where layers.count == 1: return text.range.lowerBound + count
        default: return nil
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
            at: layers.sourceOffset(of: node.byteRange.lowerBound, in: text),
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

    /// Leaves one member of each name in every object, the first, with one warning for the others.
    mutating func keepFirstMembers(_ findings: inout Findings) {
        guard let repeated = RepeatedMembers(in: document) else { return }
        let name = Excerpt.quoted(repeated.first.name.text.dropFirst().dropLast())
        let more = repeated.count > 1 ? ", and \(repeated.count - 1) more repetitions" : ""
        add(
            .warning, "duplicate_member", about: repeated.first.value,
            expected: "each member once", found: "another \(name)\(more)",
            hint: "the first value counts; all are in duplicates", to: &findings)
        layers.append(.cuts(repeated.cuts))
        document = repeated.document
        repetitions = repeated.values
    }

    /// Adds an error: the members of this body can't be parameters, since something is around them.
    func addWrapped(to findings: inout Findings) {
        add(
            .error, "not_an_object", in: .json, about: document.root, expected: "an object",
            found: "an object that is encoded once more", hint: "send the object itself",
            to: &findings)
    }

    /// A scalar as it was written, or what kind of container it is.
    package static func description(of node: JSONNode) -> String {
        switch node.kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "the string " + Excerpt.quoted(node.text.dropFirst().dropLast())
        case .number, .boolean, .null:
            String(decoding: node.text.prefix(Limits.maximumExcerptBytes), as: UTF8.self)
        }
    }
}
