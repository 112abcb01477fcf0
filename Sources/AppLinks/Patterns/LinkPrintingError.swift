// Why a pattern and values make no link.

/// Why ``LinkPattern/link(with:)`` has no link.
public enum LinkPrintingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The parameter needs a value, and none is given.
    case missingValue(name: String)

    /// The value isn't what the parameter's type takes; `type` is the type's name in patterns.
    case wrongType(name: String, value: String, type: String)

    /// As a component of a path the value wouldn't arrive: it is empty, `.` or `..`, which readers
    /// of URLs drop, or holds U+0000, which none takes.
    case vanishingValue(name: String)

    /// No value can be given for a wildcard or a parameter without a name, and one is needed here.
    case namelessElement(String)

    /// A value is given that has no place beside the others, or none at all.
    case unusedValue(name: String)

    /// The pattern would read the link, which is given as a path and a query, in another way or not
    /// at all: an optional group or an earlier branch would take what is meant for another parameter.
    case readOtherwise(target: String)

    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .missingValue(let name): "a value for \"\(name)\" is missing"
        case .wrongType(let name, let value, let type):
            "\"\(value)\" is no value for \"\(name)\", whose type is \(type)"
        case .vanishingValue(let name):
            "the value for \"\(name)\" can't be a part of a URL: give text that isn't empty, "
                + "\".\" or \"..\", without U+0000"
        case .namelessElement(let element):
            "\"\(element)\" has no name to give a value for; a pattern without it can be printed"
        case .unusedValue(let name):
            "the pattern has no place for \"\(name)\" beside the other values"
        case .readOtherwise(let target):
            "\"\(target)\" would be read with other values, or not at all"
        }
    }
}
