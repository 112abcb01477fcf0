// One diagnostic about a message, precise enough to act on without seeing the message.
//
// Invariant: `offset` is a byte offset into the part as received, before any decoding, from 0 to
// the part's length. Diagnostics are stored with the record; they never repeat a credential.

import JSON

/// A diagnostic: severity, layer, position, what was expected and what was found.
public struct Diagnostic: Sendable, Equatable {
    /// The severity of a diagnostic.
    public enum Severity: String, CaseIterable, Sendable {
        /// The message could not be decoded: its verdict is `undecodable`.
        case error
        /// The message violates the contract, or the value is incomplete: `decoded_with_warnings`.
        case warning
        /// Information; nothing is wrong with the value.
        case info
    }

    /// The layer of the message that a diagnostic is about, outermost first.
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

    /// The part of the request that a diagnostic is about.
    public enum Part: String, CaseIterable, Sendable {
        /// The request target.
        case target
        /// The request's body.
        case body
        /// The value of a header field, which `expected` names.
        case head
    }

    /// The severity.
    public let severity: Severity
    /// The layer.
    public let layer: Layer
    /// A stable snake_case name of the kind of diagnostic, for programs.
    public let code: String
    /// The part of the request that `offset` counts in.
    public let part: Part
    /// Byte offset in the part as received, from 0; nil if something is missing altogether.
    public let offset: Int?
    /// Position in the decoded JSON, as a JSON pointer (RFC 6901); nil outside JSON.
    public private(set) var pointer: String?
    /// What would be valid, for people.
    public let expected: String
    /// What was found, for people; at most `Limits.maximumExcerptBytes` of the message.
    public let found: String
    /// How to correct it, if known.
    public package(set) var hint: String?

    /// Creates a diagnostic.
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

    /// The same diagnostic with its offset relative to byte `start` of the part.
    func counted(from start: Int) -> Diagnostic {
        Diagnostic(
            severity: severity, layer: layer, code: code, part: part,
            offset: offset.map { max(0, $0 - start) }, pointer: pointer, expected: expected,
            found: found, hint: hint)
    }

    /// The same diagnostic about another part; in the body it is about the member `url`, unless it
    /// has a pointer.
    func moved(to part: Part, at offset: Int?) -> Diagnostic {
        Diagnostic(
            severity: severity, layer: layer, code: code, part: part, offset: offset,
            pointer: pointer ?? (part == .body ? "/url" : nil), expected: expected, found: found,
            hint: hint)
    }

    /// Adds the pointer to the body's member that the diagnostic is about, if there is one.
    mutating func locate(in message: Message) {
        guard pointer == nil, let offset else { return }
        pointer = message.pointer(at: offset).map(SafePointer.redacted)
    }

    /// Writes the diagnostic as one JSON object, with keys in the order of the properties.
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
    /// The same diagnostic for a decoded message: an error becomes a warning.
    public var atMostWarning: Diagnostic {
        guard severity == .error else { return self }
        return Diagnostic(
            severity: .warning, layer: layer, code: code, part: part, offset: offset,
            pointer: pointer, expected: expected, found: found, hint: hint)
    }
}
