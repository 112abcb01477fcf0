// RFC 8259 once more, as its grammar stands there: rule by rule, character by character, recursive
// and slow. What it accepts is what the reader has to accept.

/// A recogniser of JSON texts.
struct JSONGrammar {
    private let scalars: [Unicode.Scalar]
    private let isUTF8: Bool
    private let maximumDepth: Int
    private var index = 0
    private var depth = 0

    init(_ bytes: [UInt8], maximumDepth: Int) {
        let text = String(validating: bytes, as: UTF8.self)
        isUTF8 = text != nil
        scalars = text.map { Array($0.unicodeScalars) } ?? []
        self.maximumDepth = maximumDepth
    }

    /// Whether the whole input is a JSON text in UTF-8 that isn't too deep (§2).
    var isText: Bool {
        var copy = self
        return isUTF8 && copy.whitespace() && copy.value() && copy.whitespace()
            && copy.index == scalars.count
    }

    /// Goes on if the next character is one of `characters`.
    private mutating func take(_ characters: String) -> Bool {
        guard index < scalars.count, characters.unicodeScalars.contains(scalars[index]) else {
            return false
        }
        index += 1
        return true
    }

    private mutating func whitespace() -> Bool {
        while take(" \t\n\r") {}
        return true
    }

    /// A value (§3).
    private mutating func value() -> Bool {
        if take("{") { return list(until: "}") { $0.member() } }
        if take("[") { return list(until: "]") { $0.value() } }
        if take("\"") { return string() }
        for literal in ["true", "false", "null"] {
            let word = literal.unicodeScalars
            if scalars[index...].starts(with: word) {
                index += word.count
                return true
            }
        }
        return number()
    }

    /// Items with commas between them, and what closes them (§4, §5).
    private mutating func list(
        until closing: String, _ item: (inout JSONGrammar) -> Bool
    ) -> Bool {
        depth += 1
        defer { depth -= 1 }
        guard depth <= maximumDepth, whitespace() else { return false }
        if take(closing) { return true }
        repeat {
            guard whitespace(), item(&self), whitespace() else { return false }
        } while take(",")
        return take(closing)
    }

    private mutating func member() -> Bool {
        take("\"") && string() && whitespace() && take(":") && whitespace() && value()
    }

    /// A number (§6).
    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") {
            guard take("123456789") else { return false }
            _ = digits()
        }
        if take("."), !digits() { return false }
        if take("eE") {
            _ = take("+-")
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while take("0123456789") {}
        return index > start
    }

    /// A string behind its opening quotation mark (§7).
    private mutating func string() -> Bool {
        while index < scalars.count {
            if take("\"") { return true }
            if take("\\") {
                if take("u") {
                    for _ in 0..<4 where !take("0123456789abcdefABCDEF") { return false }
                } else if !take("\"\\/bfnrt") {
                    return false
                }
            } else if scalars[index].value < 0x20 {
                return false
            } else {
                index += 1
            }
        }
        return false
    }
}
