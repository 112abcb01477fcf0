// Random patterns and links that have a fair chance to fit each other: few words, every element of
// the language, brackets in brackets.

import LinkPatterns
import Mutations

extension SeededGenerator {
    /// The text of a pattern that can be read, in no particular form.
    mutating func pattern() -> LinkPattern {
        while true {
            let query = below(3) == 0 ? "?" + self.query() : ""
            // What a wildcard makes unreadable is thrown away.
            if let pattern = try? LinkPattern(alternative(depth: 0) + query) { return pattern }
        }
    }

    private mutating func alternative(depth: Int) -> String {
        (0..<(below(4) == 0 ? 2 + below(2) : 1)).map { _ in sequence(depth: depth) }
            .joined(separator: "|")
    }

    private mutating func sequence(depth: Int) -> String {
        (0..<(1 + below(4))).map { _ in element(depth: depth) }
            .joined(separator: below(8) == 0 ? "//" : "/")
    }

    private mutating func element(depth: Int) -> String {
        switch below(depth < 3 ? 10 : 7) {
        case 0...3: Self.words[below(Self.words.count)]
        case 4, 5: parameter(isNamed: below(6) != 0)
        case 6: below(2) == 0 ? "*" : Self.words[0]
        default: "(\(alternative(depth: depth + 1)))"
        }
    }

    private mutating func parameter(isNamed: Bool) -> String {
        let name = ["p", "q", "r", "s", "t"][below(5)]
        let type = ["", "num", "str", "bool", "int"][below(5)]
        if type.isEmpty { return ":\(name)" }
        return ":\(type)(\(isNamed ? name : ""))"
    }

    private mutating func query() -> String {
        (0..<(1 + below(3))).map { _ in
            switch below(4) {
            case 0: "(\(parameter(isNamed: true)))"
            case 1: "(\(parameter(isNamed: true))|\(parameter(isNamed: true)))"
            case 2: "\(parameter(isNamed: true))|\(parameter(isNamed: true))"
            default: parameter(isNamed: true)
            }
        }.joined(separator: "&")
    }

    /// A link of the words that patterns have too.
    mutating func link() -> Link {
        Link(
            components: (0..<below(6)).map { _ in word() },
            query: (0..<below(4)).map { _ in
                QueryItem(
                    name: ["p", "q", "r", "s", "t"][below(5)],
                    value: below(8) == 0 ? nil : word())
            })
    }

    private mutating func word() -> String {
        let words = Self.words + Self.values
        return words[below(words.count)]
    }

    private static let words = ["a", "b", "c", "été"]
    private static let values = ["1", "0", "-7", "x y", "1+1", "a/b", "%25", "?&=#"]
}
