// Determines the kind of a request body: by its content type, unless its first bytes contradict.
//
// Invariant: a form that begins like JSON is read as JSON, and JSON that begins like a form as a
// form, each with a warning; so is JSON under the labels of text or bytes. Clients often confuse
// these labels; nothing else is guessed.

/// How to read a body.
enum BodyKind {
    case form
    case json
    case multipart(boundary: [UInt8]?)

    /// Content types under which clients send JSON that they made themselves.
    private static let looseTypes = ["text/plain", "text/json", "application/octet-stream"]

    /// Whether a body is read as JSON: by its label, or because it begins like JSON.
    static func isJSON(_ body: Callback.Body) -> Bool {
        switch body {
        case .json(let bytes): !beginsLikeForm(bytes)
        case .form(let bytes), .multipart(_, let bytes): beginsLikeJSON(bytes)
        case .other(let contentType, let bytes):
            looseTypes.contains(contentType) && beginsLikeJSON(bytes)
        }
    }

    /// Inspects a body's content type and first bytes; nil without a body, or with an error.
    init?(_ body: Callback.Body?, findings: inout Findings) {
        switch body {
        case .form(let bytes) where Self.beginsLikeJSON(bytes),
            .multipart(_, let bytes) where Self.beginsLikeJSON(bytes):
            Self.addMislabelled(
                expected: "a form", found: "JSON", send: "application/json", &findings)
            self = .json
        case .other(let type, let bytes)
        where Self.looseTypes.contains(type) && Self.beginsLikeJSON(bytes):
            Self.addMislabelled(
                expected: type == "text/json" ? "application/json" : "text or bytes",
                found: type == "text/json" ? "text/json" : "JSON", send: "application/json",
                &findings)
            self = .json
        case .json(let bytes) where Self.beginsLikeForm(bytes):
            Self.addMislabelled(
                expected: "JSON", found: "a form",
                send: "application/x-www-form-urlencoded", &findings)
            self = .form
        case .form(let bytes) where !bytes.isEmpty: self = .form
        case .json(let bytes) where !bytes.isEmpty: self = .json
        case .multipart(let boundary, let bytes) where !bytes.isEmpty:
            self = .multipart(boundary: boundary)
        case .other(let contentType, let bytes) where !bytes.isEmpty:
            findings.add(
                .error, .body, "unsupported_content_type", in: .body, at: 0,
                expected: "a form or JSON", found: Excerpt.quoted(Array(contentType.utf8)[...]),
                hint: Self.beginsLikeJSON(bytes)
                    ? "the content looks like JSON: send application/json"
                    : "send application/x-www-form-urlencoded or application/json")
            return nil
        case .form, .json, .multipart, .other, nil: return nil
        }
    }

    private static func addMislabelled(
        expected: String, found: String, send: String, _ findings: inout Findings
    ) {
        findings.add(
            .warning, .body, "mislabelled_body", in: .body, at: 0,
            expected: "\(expected), as the content type says", found: found,
            hint: "read as what it looks like; send the content type \(send)")
    }

    private static func beginsLikeJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.firstVisible
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Whether the bytes begin with a name of letters, digits, `_` and `-` and `=`; JSON never
    /// does.
    private static func beginsLikeForm(_ bytes: [UInt8]) -> Bool {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                continue
            case UInt8(ascii: "="): return index > 0
            default: return false
            }
        }
        return false
    }
}

extension Sequence<UInt8> {
    /// The first byte that is not white space; a NUL counts, since it is an error.
    var firstVisible: UInt8? { first { $0 != 0x20 && !(0x09...0x0D ~= $0) } }
}
