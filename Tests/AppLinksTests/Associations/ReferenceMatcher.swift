// The rules of matching once more, as they would be written down: characters instead of bytes, a
// branch for every possibility, no bound on the time. Only for short patterns.

/// A matcher that tries everything.
struct ReferenceMatcher {
    private enum Token {
        case character(Unicode.Scalar)
        case anyCharacter
        case anyText
        case variable(String)
    }

    private let variables: [String: [String]]
    private let foldsCase: Bool
    private let tokens: [Token]?

    /// - Parameter variables: the file's own.
    init(_ pattern: String, variables: [String: [String]], foldsCase: Bool) {
        self.variables = variables
        self.foldsCase = foldsCase
        tokens = Self.tokens(of: pattern, variables, foldsCase)
    }

    /// Whether the whole of `text` matches.
    func matches(_ text: String) -> Bool {
        guard let tokens else { return false }
        let scalars = text.unicodeScalars.map { foldsCase ? Self.folded($0) : $0 }
        return Self.matches(tokens[...], scalars[...], variables, foldsCase)
    }

    private static let classes = ["alpha", "upper", "lower", "alnum", "digit", "xdigit"]

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        String(scalar).lowercased().unicodeScalars.first ?? scalar
    }

    /// Nil when nothing matches; without `variables` a dollar sign is itself.
    private static func tokens(
        of pattern: String, _ variables: [String: [String]]?, _ foldsCase: Bool
    ) -> [Token]? {
        var rest = pattern.unicodeScalars[...]
        var tokens: [Token] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": tokens.append(.anyText)
            case "?": tokens.append(.anyCharacter)
            case "$" where variables != nil && rest.first == "(":
                rest.removeFirst()
                let name = rest.prefix { !"$()".unicodeScalars.contains($0) }
                rest = rest[name.endIndex...]
                guard rest.popFirst() == ")" else { return nil }
                let text = String(String.UnicodeScalarView(name))
                guard variables?[text] != nil || classes.contains(text) || text == "region" else {
                    return nil
                }
                tokens.append(.variable(text))
            default: tokens.append(.character(foldsCase ? folded(scalar) : scalar))
            }
        }
        return tokens
    }

    private static func matches(
        _ tokens: ArraySlice<Token>, _ text: ArraySlice<Unicode.Scalar>,
        _ variables: [String: [String]], _ foldsCase: Bool
    ) -> Bool {
        guard let token = tokens.first else { return text.isEmpty }
        let rest = tokens.dropFirst()
        switch token {
        case .character(let scalar):
            return text.first == scalar && matches(rest, text.dropFirst(), variables, foldsCase)
        case .anyCharacter:
            return !text.isEmpty && matches(rest, text.dropFirst(), variables, foldsCase)
        case .anyText:
            return matches(rest, text, variables, foldsCase)
                || !text.isEmpty && matches(tokens, text.dropFirst(), variables, foldsCase)
        case .variable(let name):
            if let values = variables[name] {
                return values.contains { value in
                    let own = Self.tokens(of: value, nil, foldsCase) ?? []
                    return matches((own + rest)[...], text, variables, foldsCase)
                }
            }
            if name == "region" {
                let code = text.prefix(2).map { String($0) }.joined().uppercased()
                let isWritten = foldsCase || text.prefix(2).allSatisfy { $0.properties.isUppercase }
                // The regions that have no other letters than A, B and G.
                return isWritten && ["AG", "BA", "BB", "BG", "GA", "GB", "GG"].contains(code)
                    && matches(rest, text.dropFirst(2), variables, foldsCase)
            }
            guard let first = text.first, first.isASCII, takes(first, name, foldsCase) else {
                return false
            }
            return matches(rest, text.dropFirst(), variables, foldsCase)
        }
    }

    private static func takes(_ scalar: Unicode.Scalar, _ name: String, _ foldsCase: Bool) -> Bool {
        let character = Character(scalar)
        return switch name {
        case "alpha": character.isLetter
        case "upper": foldsCase ? character.isLetter : character.isUppercase
        case "lower": foldsCase ? character.isLetter : character.isLowercase
        case "alnum": character.isLetter || character.isNumber
        case "digit": character.isNumber
        default: character.isHexDigit
        }
    }
}
