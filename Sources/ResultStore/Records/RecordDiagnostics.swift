// The `diagnostics` member of a record: its JSON text, and the codes by which records are searched.
// Left out: what a diagnostic says; the store knows only that it has a code, and the code of a
// refused delivery.

import JSON

/// The `diagnostics` member of a record.
package struct RecordDiagnostics: Sendable {
    /// The array without its end; nil for an empty one, which most records have.
    private var elements: JSONWriter?
    /// The codes, in order.
    package private(set) var codes: [String] = []

    /// The code for a webhook delivery whose signature is missing or wrong.
    package static let refusedCode = "webhook_not_verified"

    /// Whether a stored record is a delivery that was refused.
    package static func isRefused(_ record: JSONNode) -> Bool {
        record["diagnostics"]?.elements.contains { $0["code"]?.string == refusedCode } ?? false
    }

    /// Creates an empty list.
    package init() {}

    /// Copies the elements of a JSON array.
    package init(_ array: JSONNode) {
        self.init()
        for element in array.elements {
            append(code: element["code"]?.string) { $0.value(element) }
        }
    }

    /// Adds a diagnostic, which `write` writes as one JSON value.
    package mutating func append(code: String?, _ write: (inout JSONWriter) -> Void) {
        if let code { codes.append(code) }
        var json = elements ?? Self.begun()
        elements = nil
        write(&json)
        elements = json
    }

    private static func begun() -> JSONWriter {
        var json = JSONWriter()
        json.beginArray()
        return json
    }

    /// A JSON array on one line.
    package var json: [UInt8] { (elements?.bytes ?? [UInt8(ascii: "[")]) + [UInt8(ascii: "]")] }
}
