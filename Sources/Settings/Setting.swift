// One setting as people and programs see it: key, meaning, value, other ways to set it.
//
// Invariant: a secret's value is never in a `SettingValue`. Left out: reading values from YAML,
// which the sections of `Configuration` do.

import Text

/// The value of a setting.
package enum SettingValue: Sendable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([String])
    /// Each as members in order.
    case mappings([[Member]])
    /// A secret that is set.
    case hidden

    /// A member of a mapping; nil for a secret that is set.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let text: String?
        /// The elements of a list, in place of a text.
        package var texts: [String]?
    }

    /// The value in YAML; secrets are written `(hidden)`.
    package var yaml: String {
        switch self {
        case .text(let text): Self.scalar(text)
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .list(let texts): "[" + texts.map(Self.scalar).joined(separator: ", ") + "]"
        case .mappings(let mappings):
            "[" + mappings.map(Self.mapping).joined(separator: ", ") + "]"
        case .hidden: "(hidden)"
        }
    }

    private static func mapping(_ members: [Member]) -> String {
        let texts = members.map { member in
            let value = member.texts.map { SettingValue.list($0).yaml } ?? member.text.map(scalar)
            return "\(member.name): \(value ?? "(hidden)")"
        }
        return "{" + texts.joined(separator: ", ") + "}"
    }

    /// Plain where YAML reads the same string back, else in double quotes.
    private static func scalar(_ text: String) -> String {
        let isAddress =
            text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
            && text.count(where: { $0 == "." }) == 3
        let isPlain =
            isAddress
            || text.first.map { $0.isASCII && ($0.isLetter || $0 == "/") } == true
                && text.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
                }
                && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
                    .contains(text.lowercased())
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\x" + Hexadecimal.text(scalar.value, digits: 2)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// One setting.
package struct Setting: Sendable {
    /// The key in the file, such as `listen.port`.
    package let key: String
    /// One sentence.
    let meaning: String
    /// The value in YAML that a new file shows where there is no default.
    package let example: String?
    /// The environment variable that sets it too.
    let variable: String?
    /// Whether a file can set it, or the variable alone.
    package let isInFile: Bool
    /// The value in force; nil if it isn't set.
    package let value: @Sendable (Configuration) -> SettingValue?

    init(
        _ key: String, _ meaning: String, example: String? = nil, variable: String? = nil,
        isInFile: Bool = true, value: @escaping @Sendable (Configuration) -> SettingValue?
    ) {
        self.key = key
        self.meaning = meaning
        self.example = example
        self.variable = variable
        self.isInFile = isInFile
        self.value = value
    }
}

extension Configuration {
    /// Every setting, in the order of a file.
    package static let settings: [Setting] =
        networkSettings + receivingSettings + emulationSettings + storeSettings + otherSettings

    /// The key that each environment variable sets.
    static let keysByVariable: [String: String] = {
        var keys = ["LANDFALL_TOKEN_FILE": "token"]
        for setting in settings {
            if let variable = setting.variable { keys[variable] = setting.key }
        }
        return keys
    }()

    /// The origin of a setting's value.
    package func origin(of key: String) -> SettingOrigin { origins[key] ?? .builtIn }
}
