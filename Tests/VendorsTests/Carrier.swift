// The ways in which one message reaches the decoder, and readable access to what comes out.
// Invariant: what `Carrier` builds is escaped as the carrier's standard says.

import JSON
import Text

@testable import Vendors

/// How parameters travel.
enum Carrier: String, CaseIterable, Sendable {
    case query
    case form
    case json

    /// A callback that carries `parameters`, properly escaped.
    func callback(_ parameters: [(String, String)]) -> Callback {
        let pairs = parameters.map { "\(escape($0))=\(escape($1))" }.joined(separator: "&")
        switch self {
        case .query: return Callback(target: Array("/callbacks/x?\(pairs)".utf8))
        case .form: return Callback(target: Array("/x".utf8), body: .form(Array(pairs.utf8)))
        case .json:
            let members = parameters.map { "\(quote($0)) : \(quote($1))" }
            let text = "{ " + members.joined(separator: ",\n") + " }"
            return Callback(target: Array("/x".utf8), body: .json(Array(text.utf8)))
        }
    }

    private func escape(_ text: String) -> String {
        String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self)
    }

    private func quote(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            case "/": quoted += "\\/"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}

extension Decoding {
    /// Decodes a query or URL.
    init(url: String, from vendor: Vendor) {
        self.init(of: Callback(target: Array(url.utf8)), from: vendor)
    }

    /// Decodes a JSON body.
    init(json: String, from vendor: Vendor) {
        self.init(
            of: Callback(target: Array("/x".utf8), body: .json(Array(json.utf8))), from: vendor)
    }

    /// Decodes a form body.
    init(form: String, from vendor: Vendor) {
        self.init(
            of: Callback(target: Array("/x".utf8), body: .form(Array(form.utf8))), from: vendor)
    }

    /// The value as text.
    var text: String? { value.map { String(decoding: $0, as: UTF8.self) } }

    /// The value, read again.
    var root: JSONNode? { value.flatMap { try? JSONDocument(parsing: $0) }?.root }

    /// The codes of all findings.
    var codes: [String] { diagnostics.map(\.code) }

    /// The same but for what an item lacks, in tests whose items are of two or three members.
    var codesOfItem: [String] { codes.filter { $0 != "missing_member" } }

    /// The first finding with `code`.
    func diagnostic(_ code: String) -> Diagnostic? { diagnostics.first { $0.code == code } }
}

/// `text` without the whitespace between its tokens.
func compact(_ text: String) throws -> String {
    var bytes: [UInt8] = []
    try JSONDocument(parsing: Array(text.utf8)).root.appendCompact(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}
