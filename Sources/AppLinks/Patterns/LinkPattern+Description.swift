// Patterns back into text. Reading the printed text gives an equal pattern; the text itself is
// normalised: no empty components, and brackets around every alternative.

extension LinkPattern: CustomStringConvertible {
    /// The pattern's text, without empty components and with brackets around every alternative.
    public var description: String {
        let path = path.text
        if query.isEmpty { return path }
        return path + "?" + query.map(\.description).joined(separator: "&")
    }
}

extension [PathElement] {
    fileprivate var text: String {
        map(\.description).joined(separator: "/")
    }
}

extension PathElement: CustomStringConvertible {
    /// The element as it is written in a pattern.
    var description: String {
        switch self {
        case .literal(let text): text
        case .parameter(let parameter): parameter.description
        case .wildcard: "*"
        case .group(let elements): "(\(elements.text))"
        case .alternative(let alternative):
            "(\(alternative.branches.map(\.text).joined(separator: "|")))"
        }
    }
}

extension QueryElement: CustomStringConvertible {
    /// The element as it is written in a pattern.
    var description: String {
        switch self {
        case .required(let parameter): parameter.description
        case .optional(let parameter): "(\(parameter))"
        case .either(let parameters):
            "(\(parameters.map(\.description).joined(separator: "|")))"
        }
    }
}
