// One wildcard pattern, read once and compared often: a walk over its elements that carries the set
// of places in the text that they can have reached.
//
// Invariant: time is bounded by pattern × text, whatever stands in either. Left out: who wrote the
// pattern; normalisation and decoding happen before.

/// A pattern of `*`, `?`, substitution variables and literal text (Apple, *Supporting associated
/// domains*).
///
/// A class, so that a rule with its patterns is cheap to take out of an array.
final class WildcardPattern: Sendable {
    /// What one part of the pattern takes.
    enum Element: Sendable {
        /// Exactly these bytes.
        case literal([UInt8])
        /// One character, a Unicode scalar: `?`.
        case anyCharacter
        /// Zero or more characters: `*`.
        case anyText
        /// One ASCII character of a class.
        case oneOf(CharacterClass)
        /// One of a table's codes.
        case code(CodeTable)
        /// One of the values of a variable, none of which holds a variable.
        case value([[Element]])
    }

    /// Why a pattern matches nothing at all.
    enum Fault: Sendable, Hashable {
        /// No variable has this name.
        case unknownVariable(String)
        /// `$(` is not followed by a `)`.
        case unterminatedVariable
    }

    /// How a comparison ended.
    enum Outcome: Sendable, Hashable {
        case matches
        case differs
        /// Apple's matcher gives up before it comes to an end, which is no match.
        case givesUp
    }

    /// The pattern's text, as it is compared.
    let text: String

    /// What the pattern takes, in order.
    let elements: [Element]

    /// Where each of `elements` stands in `text`, in bytes.
    let offsets: [Int]

    /// Why it matches nothing; nil when it may match something.
    let fault: Fault?

    /// The variables that it has, in order.
    let variableNames: [String]

    /// Whether it takes every text.
    let isUniversal: Bool

    /// A pattern that has been read.
    init(_ text: String, _ reader: WildcardReader) {
        self.text = text
        elements = reader.elements
        offsets = reader.offsets
        fault = reader.fault
        variableNames = reader.variableNames
        isUniversal = text == "*"
    }

    /// The text between wildcards and variables.
    var literals: [UInt8] {
        var literals: [UInt8] = []
        for case .literal(let bytes) in elements { literals += bytes }
        return literals
    }

    /// How many wildcards for longer text and variables it has: each is a step of Apple's recursion.
    var depth: Int {
        elements.count { element in
            switch element {
            case .anyText, .code, .value: true
            case .literal, .anyCharacter, .oneOf: false
            }
        }
    }

    /// Compares the whole of `text`, which is folded if the pattern is.
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
                    places = places.behindLast(bytes, in: text)
                } else if case .anyText = elements[index + 1] {
                    // What follows goes on from all places behind the first.
                    places = places.nearestBehind(bytes, in: text)
                } else {
                    places = places.behind(bytes, in: text)
                }
            case .anyText, .code, .value:
                depth += 1
                if depth > Limits.appleMatchingDepth { return .givesUp }
                places = places.behind(elements[index], in: text)
            default:
                places = places.behind(elements[index], in: text)
            }
            if places.isEmpty { return .differs }
        }
        return places.contains(text.count) ? .matches : .differs
    }

    /// Whether the whole of `text` matches.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        compare(text.span) == .matches
    }

    /// The furthest place up to which `text` agrees, and the place in the pattern's text that could
    /// not be found there.
    func parting(in text: Span<UInt8>) -> (pattern: Int, text: Int) {
        var places = Places.one(0)
        for index in elements.indices {
            let next = places.behind(elements[index], in: text)
            if next.isEmpty {
                let furthest = places.furthest(in: text)
                guard case .literal(let bytes) = elements[index] else {
                    return (offsets[index], furthest)
                }
                let begins = places.longestBeginning(of: bytes, in: text)
                // Folded text may be longer or shorter; it has as many characters.
                let same = bytes[..<begins.count].count { $0 & 0xC0 != 0x80 }
                return (place(behind: same, from: offsets[index]), begins.place + begins.count)
            }
            places = next
        }
        return (self.text.utf8.count, places.nearest)
    }

    /// The place in the pattern's text that so many characters behind another one have.
    private func place(behind count: Int, from offset: Int) -> Int {
        let bytes = Array(text.utf8)
        var place = offset
        for _ in 0..<count { place += bytes.span.characterLength(at: place) ?? 0 }
        return place
    }
}
