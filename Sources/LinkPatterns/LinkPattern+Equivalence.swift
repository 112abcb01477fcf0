// Which patterns match the same links: those that differ only in what doesn't decide a match. Left
// out: patterns of other forms that match the same links, such as `a|b` and `b|a`, and those that
// match some of the links of another pattern.

extension LinkPattern {
    /// A text that two patterns share only if they match the same links.
    ///
    /// The names of a path's parameters are left out, and the types of both versions of the
    /// language are written alike. A query's names stay: they decide which items are taken.
    package var matchingForm: String {
        let components = path.map(\.matchingForm.description).joined(separator: "/")
        let items = query.map(\.matchingForm.description).joined(separator: "&")
        return "\(components)?\(items)"
    }
}

extension PathElement {
    fileprivate var matchingForm: PathElement {
        switch self {
        case .literal, .wildcard: self
        case .parameter(let parameter): .parameter(parameter.matchingForm(named: nil))
        case .group(let elements): .group(elements.map(\.matchingForm))
        case .alternative(let alternative):
            .alternative(PathAlternative(alternative.branches.map { $0.map(\.matchingForm) }))
        }
    }
}

extension QueryElement {
    fileprivate var matchingForm: QueryElement {
        switch self {
        case .required(let parameter): .required(parameter.matchingForm(named: parameter.name))
        case .optional(let parameter): .optional(parameter.matchingForm(named: parameter.name))
        case .either(let parameters):
            .either(parameters.map { $0.matchingForm(named: $0.name) })
        }
    }
}

extension PatternParameter {
    fileprivate func matchingForm(named name: String?) -> PatternParameter {
        let usualType: ParameterType =
            switch type ?? .str {
            case .str, .string: .str
            case .num, .double: .num
            case .bool: .bool
            case .int: .int
            }
        return PatternParameter(name: name, type: usualType)
    }
}
