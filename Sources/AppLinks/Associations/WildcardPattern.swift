// One wildcard pattern, parsed once and compared often. The comparison walks over its elements with
// the set of positions in the text that they can have reached.
//
// Invariant: time is bounded by pattern × text, whatever they contain. Left out: normalisation and
// decoding, which happen before.

/// A pattern of `*`, `?`, substitution variables and literal text (Apple, *Supporting associated
/// domains*).
///
/// A class, so that taking a rule with its patterns out of an array is cheap.
final class WildcardPattern: Sendable {
    /// What one part of the pattern matches.
    enum Element: Sendable {
        /// Exactly these bytes.
        case literal([UInt8])
        /// One character, a Unicode scalar: `?`.
        case anyCharacter
        /// Zero or more characters: `*`.
        case anyText
        /// One ASCII character of a class.
        case oneOf(CharacterClass)
        /// One of the codes of a table.
        case code(CodeTable)
        /// One of the values of a variable.
        case value(VariableValues)

        /// Number of states that a comparison needs for it.
        var size: Int {
            switch self {
            case .literal(let bytes): bytes.count
            case .value(let values): values.size
            case .anyCharacter, .anyText, .oneOf, .code: 1
            }
        }
    }

    /// Why a pattern matches nothing at all.
    enum Fault: Sendable, Hashable {
        /// No variable has this name.
        case unknownVariable(String)
        /// `$(` is not followed by a `)`.
        case unterminatedVariable
    }

    /// The result of a comparison.
    enum Outcome: Sendable, Hashable {
        case matches
        case differs
        /// Apple's matcher gives up before the end, which is not a match.
        case givesUp
    }

    /// The pattern's text, as compared.
    let text: String

    /// The pattern's elements, in order.
    let elements: [Element]

    /// The byte offset of each of `elements` in `text`.
    let offsets: [Int]

    /// Why it matches nothing; nil if it can match.
    let fault: Fault?

    /// The variables in it, in order.
    let variableNames: [String]

    /// Whether it matches every text.
    let isUniversal: Bool

    /// Number of states that a comparison needs, for all values of its variables.
    let size: Int

    /// Number of variables and of wildcards for longer text: each is a step of Apple's recursion.
    let depth: Int

    /// A parsed pattern.
    init(_ text: String, _ reader: WildcardReader) {
        self.text = text
        elements = reader.elements
        offsets = reader.offsets
        fault = reader.fault
        variableNames = reader.variableNames
        isUniversal = text == "*"
        size = reader.elements.reduce(0) { $0 + $1.size }
        depth = reader.elements.count { element in
            switch element {
            case .anyText, .code, .value: true
            case .literal, .anyCharacter, .oneOf: false
            }
        }
    }

    /// The text between wildcards and variables.
    var literals: [UInt8] {
        var literals: [UInt8] = []
        for case .literal(let bytes) in elements { literals += bytes }
        return literals
    }

    /// Compares all of `text`, which is folded if the pattern is.
    ///
    /// O(pattern × text).
    func compare(_ text: Span<UInt8>) -> Outcome {
        if fault != nil { return .differs }
        if isUniversal { return .matches }
        var places = Places.one(0)
        var depth = 0
        for index in elements.indices {
            switch elements[index] {
            case .literal(let bytes):
                if index == elements.count - 1 {
                    places = places.afterLast(bytes, in: text)
                } else if case .anyText = elements[index + 1] {
                    // The next element continues from all positions after the first.
                    places = places.nearestAfter(bytes, in: text)
                } else {
                    places = places.after(bytes, in: text)
                }
            case .anyText, .code, .value:
                depth += 1
                if depth > Limits.appleMatchingDepth { return .givesUp }
                places = places.after(elements[index], in: text)
            default:
                places = places.after(elements[index], in: text)
            }
            if places.isEmpty { return .differs }
        }
        return places.contains(text.count) ? .matches : .differs
    }

    /// Whether all of `text` matches.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        compare(text.span) == .matches
    }

    /// The furthest position up to which `text` matches, and the position in the pattern's text
    /// that doesn't match there.
    func parting(in text: Span<UInt8>) -> (pattern: Int, text: Int) {
        var places = Places.one(0)
        for index in elements.indices {
            let next = places.after(elements[index], in: text)
            if next.isEmpty {
                let furthest = places.furthest(in: text)
                guard case .literal(let bytes) = elements[index] else {
                    return (offsets[index], furthest)
                }
                let begins = places.longestBeginning(of: bytes, in: text)
                // Folded text may be longer or shorter in bytes; its number of characters is the
                // same.
                let same = bytes[..<begins.count].count { $0 & 0xC0 != 0x80 }
                return (place(after: same, from: offsets[index]), begins.place + begins.count)
            }
            places = next
        }
        return (self.text.utf8.count, places.nearest)
    }

    /// The offset in the pattern's text of the character `count` characters after `offset`.
    private func place(after count: Int, from offset: Int) -> Int {
        let bytes = Array(text.utf8)
        var place = offset
        for _ in 0..<count { place += bytes.span.characterLength(at: place) ?? 0 }
        return place
    }
}
