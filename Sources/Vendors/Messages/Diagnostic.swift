// One finding about a message, exact enough to be acted on without seeing the message.
//
// Invariant: `offset` is a byte offset into the part as it was received, before any decoding, from
// 0 to the part's length. Diagnostics are stored with the record; they never repeat a credential.

import JSON

/// One finding: how bad, at which layer and place, what was expected and what stood there.
public struct Diagnostic: Sendable, Equatable {
    /// How bad a finding is.
    public enum Severity: String, CaseIterable, Sendable {
        /// The message could not be decoded: its verdict is `undecodable`.
        case error
        /// Something breaks the contract, or is missing from the value: `decoded_with_warnings`.
        case warning
        /// Something worth knowing; nothing is wrong with the value.
        case info
    }

    /// The layer of the message at which a finding was made, outermost first.
    public enum Layer: String, CaseIterable, Sendable {
        /// The parameters of the request target's query.
        case url
        /// The parameters of a form body.
        case form
        /// The body as a whole: its content type.
        case body
        /// Percent-encoding (RFC 3986 §2.1).
        case percent
        /// Base64 (RFC 4648).
        case base64
        /// UTF-8 (RFC 3629).
        case utf8
        /// JSON text (RFC 8259).
        case json
        /// The vendor's own rules about names, types and values.
        case model
    }

    /// The part of the request in which a finding was made.
    public enum Part: String, CaseIterable, Sendable {
        /// The request target.
        case target
        /// The request's content.
        case body
        /// The value of a header field, which `expected` names.
        case head
    }

    /// How bad it is.
    public let severity: Severity
    /// The layer that found it.
    public let layer: Layer
    /// A stable snake_case name of the kind of finding, for programs.
    public let code: String
    /// The part of the request that `offset` counts in.
    public let part: Part
    /// Where in the part as received, in bytes from 0; nil for what is missing altogether.
    public let offset: Int?
    /// Where in the decoded JSON, as a JSON pointer (RFC 6901); nil outside of JSON.
    public private(set) var pointer: String?
    /// What would have been right, for people.
    public let expected: String
    /// What stood there, for people; at most `Limits.maximumExcerptBytes` of the message.
    public let found: String
    /// What to do about it, where that is known.
    public let hint: String?

    /// Creates a finding.
    public init(
        severity: Severity, layer: Layer, code: String, part: Part, offset: Int? = nil,
        pointer: String? = nil, expected: String, found: String, hint: String? = nil
    ) {
        self.severity = severity
        self.layer = layer
        self.code = code
        self.part = part
        self.offset = offset
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.hint = hint
    }

    /// The same finding, its place counted from byte `start` of the part.
    func counted(from start: Int) -> Diagnostic {
        Diagnostic(
            severity: severity, layer: layer, code: code, part: part,
            offset: offset.map { max(0, $0 - start) }, pointer: pointer, expected: expected,
            found: found, hint: hint)
    }

    /// Adds the pointer to the member of the body that the finding is about, if it is about one.
    mutating func locate(in message: Message) {
        guard pointer == nil, let offset else { return }
        pointer = message.pointer(at: offset)
    }

    /// Writes the finding as one JSON object, its keys in the order of the properties.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("severity", severity.rawValue)
        json.member("layer", layer.rawValue)
        json.member("code", code)
        json.member("part", part.rawValue)
        json.member("offset", offset)
        json.member("pointer", pointer)
        json.member("expected", expected)
        json.member("found", found)
        json.member("hint", hint)
        json.endObject()
    }
}

extension Diagnostic {
    /// The same about a message that was decoded, in which nothing is worse than a warning.
    public var atMostWarning: Diagnostic {
        guard severity == .error else { return self }
        return Diagnostic(
            severity: .warning, layer: layer, code: code, part: part, offset: offset,
            pointer: pointer, expected: expected, found: found, hint: hint)
    }
}
