// The values of `$(name)`: the file's own variables, then those that Apple's systems define.
//
// Invariant: a variable of the file hides a predefined one of the same name.

import Text

/// The variables of a file.
struct SubstitutionVariables: Sendable {
    /// The elements of the file's own variables, by their case-sensitive names.
    ///
    /// Parsed once, because patterns may use a variable with thousands of values thousands of
    /// times.
    private let custom: [String: WildcardPattern.Element]
    private let foldedCustom: [String: WildcardPattern.Element]

    init(_ custom: [String: [String]] = [:]) {
        self.custom = custom.mapValues { Self.element(for: $0, foldsCase: false) }
        foldedCustom = custom.mapValues { Self.element(for: $0, foldsCase: true) }
    }

    private static func element(
        for values: [String], foldsCase: Bool
    ) -> WildcardPattern.Element {
        let elements = values.map { value in
            var reader = WildcardReader(value, foldsCase: foldsCase)
            reader.read(nil)
            return reader.elements
        }
        return .value(VariableValues(elements))
    }

    /// The names of the file's own variables, in no particular order.
    var names: some Collection<String> { custom.keys }

    /// Whether the file defines a variable of this name.
    func hides(_ name: String) -> Bool { custom[name] != nil }

    /// The names that every file can use (Apple, *Supporting associated domains*).
    static let predefinedNames = [
        "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
    ]

    /// The element of a variable; nil if the name is unknown.
    func element(for name: String, foldsCase: Bool) -> WildcardPattern.Element? {
        if let element = foldsCase ? foldedCustom[name] : custom[name] { return element }
        switch name {
        case "region": return .code(foldsCase ? .foldedRegions : .regions)
        case "lang": return .code(foldsCase ? .foldedLanguages : .languages)
        default:
            return CharacterClass(rawValue: name).map { .oneOf(foldsCase ? $0.folded : $0) }
        }
    }
}

/// The values of a variable, none of which contains a variable.
///
/// A class, so that an element of a pattern is small.
final class VariableValues: Sendable {
    /// The elements of each value.
    let elements: [[WildcardPattern.Element]]

    /// Number of states that a comparison needs for all of them.
    let size: Int

    /// Whether one of them matches the empty text.
    let fitEmptyText: Bool

    init(_ elements: [[WildcardPattern.Element]]) {
        self.elements = elements
        size = elements.joined().reduce(elements.count) { $0 + $1.size }
        fitEmptyText = elements.contains { value in
            value.allSatisfy { if case .anyText = $0 { true } else { false } }
        }
    }
}

/// A class of ASCII characters.
enum CharacterClass: String, Sendable {
    case alpha
    case upper
    case lower
    case alnum
    case digit
    case xdigit

    /// The class for folded text, which has no uppercase.
    var folded: CharacterClass { self == .upper ? .lower : self }

    func contains(_ byte: UInt8) -> Bool {
        switch self {
        case .alpha: byte.isLetter
        case .upper: byte.isLetter && !byte.isLowercaseLetter
        case .lower: byte.isLowercaseLetter
        case .alnum: byte.isAlphanumeric
        case .digit: byte.isDigit
        case .xdigit: byte.isHexadecimal
        }
    }
}
