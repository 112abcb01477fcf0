// What `$(name)` stands for: the file's own variables, then those that Apple's systems know.
//
// Invariant: a variable of the file hides one of the same name that the systems know.

/// The variables of a file.
struct SubstitutionVariables: Sendable {
    /// Values by the names of the file's own variables, which are case-sensitive.
    private let custom: [String: [String]]

    init(_ custom: [String: [String]] = [:]) {
        self.custom = custom
    }

    /// The names of the file's own variables, sorted.
    var names: [String] { custom.keys.sorted() }

    /// The names that every file may use (Apple, *Supporting associated domains*).
    static let predefinedNames = [
        "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
    ]

    /// What a variable takes; nil when there is none of this name.
    func element(for name: String, foldsCase: Bool) -> WildcardPattern.Element? {
        if let values = custom[name] {
            return .value(
                values.map { value in
                    var reader = WildcardReader(value, foldsCase: foldsCase)
                    reader.read(nil)
                    return reader.elements
                })
        }
        switch name {
        case "region": return .code(foldsCase ? .foldedRegions : .regions)
        case "lang": return .code(foldsCase ? .foldedLanguages : .languages)
        default:
            return CharacterClass(rawValue: name).map { .oneOf(foldsCase ? $0.folded : $0) }
        }
    }
}

/// The classes of one ASCII character.
enum CharacterClass: String, Sendable {
    case alpha
    case upper
    case lower
    case alnum
    case digit
    case xdigit

    /// The class to compare folded text with, which has no upper case.
    var folded: CharacterClass { self == .upper ? .lower : self }

    func contains(_ byte: UInt8) -> Bool {
        switch self {
        case .alpha: Self.isLower(byte | 0x20)
        case .upper: byte & 0x20 == 0 && Self.isLower(byte | 0x20)
        case .lower: Self.isLower(byte)
        case .alnum: Self.isLower(byte | 0x20) || Self.isDigit(byte)
        case .digit: Self.isDigit(byte)
        case .xdigit: Self.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
        }
    }

    private static func isLower(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
