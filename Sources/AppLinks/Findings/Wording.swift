// How messages name the values that they are about.

import JSON

extension JSONNode.Kind {
    /// The kind with its article.
    var phrase: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}

extension String {
    /// The text in quotation marks, cut off after 80 characters, without control characters.
    var quoted: String {
        var text = "\""
        for scalar in unicodeScalars.prefix(80) {
            text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return text + (unicodeScalars.count > 80 ? "…\"" : "\"")
    }
}
