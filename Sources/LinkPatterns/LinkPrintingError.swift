// Why there is no link for a pattern and values.

/// Why ``LinkPattern/link(with:)`` has no result.
public enum LinkPrintingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The parameter needs a value, and none was given.
    case missingValue(name: String)

    /// The value isn't of the parameter's type; `type` is the type's name in patterns.
    case wrongType(name: String, value: String, type: String)

    /// The value would be lost as a path component: it is empty, `.` or `..`, which URL parsers
    /// remove, or contains U+0000, which none accepts.
    case unrepresentableValue(name: String)

    /// An element that is needed here can't get a value: a wildcard or a parameter without a name.
    case namelessElement(String)

    /// The value can't be used together with the others, or not at all.
    case unusedValue(name: String)

    /// The pattern would read the link differently or not at all, because an optional group or an
    /// earlier branch would take the value of another parameter.
    ///
    /// `target` is the link's path and query.
    case ambiguous(target: String)

    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .missingValue(let name): "a value for \"\(name)\" is missing"
        case .wrongType(let name, let value, let type):
            "\"\(value)\" is not a value for \"\(name)\", whose type is \(type)"
        case .unrepresentableValue(let name):
            "the value for \"\(name)\" can't be a part of a URL: give text that isn't empty, "
                + "\".\" or \"..\", without U+0000"
        case .namelessElement(let element):
            "\"\(element)\" has no name to give a value for; a pattern without it can be printed"
        case .unusedValue(let name):
            "the pattern has no place for \"\(name)\" beside the other values"
        case .ambiguous(let target):
            "\"\(target)\" would be read with other values, or not at all"
        }
    }
}
