// Parses the decoded value for the typed values. Left out: why a value is missing; the diagnostics
// report that.

import JSON

extension Decoding {
    /// The decoded value as a JSON document; nil if nothing was decoded.
    var parsedValue: JSONNode? { value.flatMap { try? JSONDocument(parsing: $0) }?.root }
}

extension JSONNode {
    /// The members of the object `name` that are strings.
    func strings(in name: String) -> [String: String] {
        var strings: [String: String] = [:]
        guard let object = self[name] else { return strings }
        for member in object.members {
            if let name = member.name.string { strings[name] = member.value.string }
        }
        return strings
    }
}
