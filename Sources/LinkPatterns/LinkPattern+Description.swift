// Converts patterns back to text. Parsing the text gives an equal pattern. It is the shortest text
// of the pattern, so a parsed pattern stays within the limits when it is printed.

extension LinkPattern: CustomStringConvertible {
    /// The pattern's text in normal form: without empty components, and without brackets around an
    /// alternative that is the whole path or a whole item of the query.
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
    /// The branches as in brackets.
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
    /// The element as in a pattern.
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
    /// The element as in a pattern.
    var description: String {
        switch self {
        case .required(let parameter): parameter.description
        case .optional(let parameter): "(\(parameter))"
        case .either(let parameters):
            parameters.map(\.description).joined(separator: "|")
        }
    }
}
