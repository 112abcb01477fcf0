// Patterns back into text. Reading the printed text gives an equal pattern. Of all texts of a pattern
// it is the shortest, so that what could be read stays within the limits when it is printed.

extension LinkPattern: CustomStringConvertible {
    /// The pattern's text in normal form: without empty components, and without brackets around a
    /// whole path, or a whole item of the query, that is an alternative.
    public var description: String {
        let path = wholeAlternative?.text ?? path.text
        if query.isEmpty { return path }
        return path + "?" + query.map(\.description).joined(separator: "&")
    }
}

extension LinkPattern {
    private var wholeAlternative: PathAlternative? {
        guard path.count == 1, case .alternative(let alternative) = path[0] else { return nil }
        return alternative
    }
}

extension PathAlternative {
    /// The branches as they are written between brackets.
    fileprivate var text: String {
        branches.map(\.text).joined(separator: "|")
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
        case .alternative(let alternative): "(\(alternative.text))"
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
            parameters.map(\.description).joined(separator: "|")
        }
    }
}
