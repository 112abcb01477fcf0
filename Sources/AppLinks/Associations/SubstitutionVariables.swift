// What `$(name)` stands for: the file's own variables, then those that Apple's systems know.
//
// Invariant: a variable of the file hides one of the same name that the systems know.

/// The variables of a file.
struct SubstitutionVariables: Sendable {
    /// What the file's own variables take, by their names, which are case-sensitive.
    ///
    /// Read once: patterns may name one with thousands of values thousands of times.
    private let custom: [String: WildcardPattern.Element]
    private let foldedCustom: [String: WildcardPattern.Element]

    init(_ custom: [String: [String]] = [:]) {
        self.custom = custom.mapValues { Self.element(for: $0, foldsCase: false) }
        foldedCustom = custom.mapValues { Self.element(for: $0, foldsCase: true) }
    }

    private static func element(
        for values: [String], foldsCase: Bool
    ) -> WildcardPattern.Element {
        .value(
            values.map { value in
                var reader = WildcardReader(value, foldsCase: foldsCase)
                reader.read(nil)
                return reader.elements
            })
    }

    /// The names of the file's own variables, in no order.
    var names: some Collection<String> { custom.keys }

    /// Whether the file has a variable of its own of this name.
    func hides(_ name: String) -> Bool { custom[name] != nil }

    /// The names that every file may use (Apple, *Supporting associated domains*).
    static let predefinedNames = [
        "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
    ]

    /// What a variable takes; nil when there is none of this name.
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
