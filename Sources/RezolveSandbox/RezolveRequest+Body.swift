// Reads the body of a request to the sandbox; errors if it is not a JSON object.

import JSON
import Vendors

extension RezolveRequest {
    /// Whether the content type is JSON.
    var isJSON: Bool {
        contentType?.split(separator: ";").first?.lowercased()
            .split(separator: " ").first == "application/json"
    }

    /// Throws the vendor's error for malformed requests if the content type is not JSON.
    func requireJSON() throws(RezolveRefusal) {
        if isJSON { return }
        throw .malformed(
            .field(
                "wrong_content_type", expected: "Content-Type: application/json",
                found: contentType.map { Excerpt.quoted(Array($0.utf8)[...]) } ?? "none"))
    }

    /// The body as a JSON object.
    ///
    /// Throws the vendor's error for malformed requests.
    func jsonObject() throws(RezolveRefusal) -> JSONNode {
        try requireJSON()
        let root: JSONNode
        do throws(JSONFault) {
            root = try JSONDocument(parsing: body).root
        } catch {
            throw .malformed(
                Diagnostic(
                    severity: .error, layer: .json, code: "broken_json", part: .body,
                    offset: error.offset, expected: error.expected, found: error.found,
                    hint: error.hint))
        }
        if root.kind == .object { return root }
        throw .malformed(
            Diagnostic(
                severity: .error, layer: .json, code: "not_an_object", part: .body,
                offset: root.byteRange.lowerBound, pointer: root.pointer, expected: "an object",
                found: Payload.description(of: root)))
    }
}
