// A JSON document from a parameter or a body; every byte can be traced to its byte in the request.
//
// Invariant: a payload exists only if every layer could be removed. Layers that the contract
// doesn't have, such as a second Base64, are removed with a warning each; the first broken one is
// an error. `PayloadReader` removes the layers.

import JSON

/// A vendor's JSON and its origin in the request.
package struct Payload {
    /// How a contract wraps its JSON.
    enum Wrapping {
        /// Not wrapped.
        case none
        /// In Base64 of either alphabet.
        case base64
    }

    private(set) var document: JSONDocument
    private let text: EscapedText
    private var layers: [PayloadLayer]

    /// The values of repeated members, after `keepMembers`.
    private(set) var repetitions: [RepeatedMembers.Values] = []

    /// Reads JSON from a parameter's text; nil, with an error, if a layer is broken.
    ///
    /// Spaces in Base64 are read as plus signs. In a form this is exact: `+` is read as it was
    /// written.
    init?(_ text: EscapedText, in wrapping: Wrapping = .none, findings: inout Findings) {
        var reader = PayloadReader(text, in: wrapping)
        guard let document = reader.read(&findings) else { return nil }
        self.document = document
        self.text = reader.text
        layers = reader.layers
    }

    /// The start of the document in its part if its bytes are the part's own; nil otherwise.
    var startInPart: Int? {
        guard text.escaping == .none else { return nil }
        switch layers.first {
        case nil: return text.range.lowerBound
        case .prefix(let count) where layers.count == 1: return text.range.lowerBound + count
        default: return nil
        }
    }

    /// Adds a diagnostic about the value `node`.
    ///
    /// O(length of the document); O(1) if there are too many, because each element of a list may
    /// have one.
    func add(
        _ severity: Diagnostic.Severity, _ code: String, in layer: Diagnostic.Layer = .model,
        about node: JSONNode, expected: String, found: String? = nil, hint: String? = nil,
        to findings: inout Findings
    ) {
        if findings.isFull { return findings.leaveOut(severity) }
        findings.add(
            severity, layer, code, in: text.part,
            at: layers.sourceOffset(of: node.byteRange.lowerBound, in: text),
            pointer: node.pointer, expected: expected, found: found ?? Self.description(of: node),
            hint: hint)
    }

    /// Whether the root is an object; adds an error if it is not.
    func requireObject(_ findings: inout Findings) -> Bool {
        if document.root.kind == .object { return true }
        add(
            .error, "not_an_object", in: .json, about: document.root, expected: "an object",
            to: &findings)
        return false
    }

    /// Keeps the first or last member of each name in every object; warns of the others once.
    mutating func keepMembers(_ preference: Message.Preference, _ findings: inout Findings) {
        guard let repeated = RepeatedMembers(in: document, keeping: preference) else { return }
        let name = Excerpt.quoted(repeated.first.name.text.dropFirst().dropLast())
        let more = repeated.count > 1 ? ", and \(repeated.count - 1) more repetitions" : ""
        add(
            .warning, "duplicate_member", about: repeated.first.value,
            expected: "each member once", found: "another \(name)\(more)",
            hint: preference == .first
                ? "the first value counts; all are in duplicates"
                : "the last value counts; all are in duplicates", to: &findings)
        layers.append(.cuts(repeated.cuts))
        document = repeated.document
        repetitions = repeated.values
    }

    /// Adds an error: the members of this body can't be parameters, because they are nested.
    func addWrapped(to findings: inout Findings) {
        add(
            .error, "not_an_object", in: .json, about: document.root, expected: "an object",
            found: "an object that is encoded once more", hint: "send the object itself",
            to: &findings)
    }

    /// Warns that the body brings another value of a parameter, whose own value counts.
    func addDuplicate(of name: String, to findings: inout Findings) {
        add(
            .warning, "duplicate_parameter", in: .json, about: document.root,
            expected: "each parameter once", found: "another \"\(name)\" as the body",
            hint: "the first value counts", to: &findings)
    }

    /// A scalar as it was written, or the kind of a container.
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
