// A cheap check, which finds for nearly all texts that they contain nothing to hide.
//
// Invariant: only false positives. What is hidden has one of the words below in its name or its
// value, as written or by escapes; an escape or a piece that may give a part of one counts as one.

import Text

/// A check of a whole text for words, in one pass; a class, because its tables are large.
final class Glance: Sendable {
    /// What must be true of a place where a word is.
    private enum Condition {
        case none
        /// It isn't the whole name of a parameter or member.
        case partOfName
        /// No lower-case letter follows.
        case wholeWord
        /// A word that makes it a credential's name is before it.
        case afterWord
        /// It begins Base64 that may contain another word, or a JSON Web Token.
        case base64
        /// An escape gives a letter, a digit or a sign.
        case escape
    }

    /// A word, and where it counts.
    private struct Clue {
        /// Empty if the condition says it all.
        var word: [UInt8] = []
        var ignoresCase = false
        /// The bytes allowed first, second and third; an empty set allows any.
        let beginning: [[UInt8]]
        let condition: Condition

        init(_ word: String, ignoringCase: Bool, _ condition: Condition = .none) {
            self.word = Array(word.utf8)
            ignoresCase = ignoringCase
            beginning = word.utf8.prefix(3).map {
                ignoringCase && $0.isLetter ? [$0, $0 & ~0x20] : [$0]
            }
            self.condition = condition
        }

        init(beginning: [String], _ condition: Condition) {
            self.beginning = beginning.map { Array($0.utf8) }
            self.condition = condition
        }

        /// Base64 that begins with any of `texts`, of three characters each.
        init(ofBase64 texts: [[UInt8]]) {
            beginning = (0..<3).map { place in Array(Set(texts.map { $0[place] })) }
            condition = .base64
        }
    }

    /// A clue as it is searched for: a plain value, because all event loops read it at the same time,
    /// and counting references to shared parts would make them wait for each other.
    private struct SearchedClue {
        /// In `letters`.
        let word: Range<Int>
        let ignoresCase: Bool
        let condition: Condition
    }

    /// Clues by the first byte of a pair, a bit for each: in the lower half those that begin with it,
    /// in the upper half those whose second byte it may be.
    private let firsts: InlineArray<256, UInt64>
    /// Clues by the second byte of a pair: in the lower half those whose second byte it may be, in
    /// the upper half those whose third byte it may be.
    private let seconds: InlineArray<256, UInt64>
    /// The clues of a single byte; the upper halves have them where it is the second of a pair.
    private let singles: UInt32
    /// The words of all clues.
    private let letters: [UInt8]
    private let clues: [SearchedClue]
    /// The clues of each bit; at most 32.
    private let cluesOfBit: [Range<Int>]

    /// A check for credentials, by name or by look.
    static let credentials = Glance(
        fragments + names(tokenIf: .partOfName)
            + SecretLook.prefixes.map { Clue($0.text, ignoringCase: false) }
            + [Clue("-----BEGIN", ignoringCase: false), Clue("basic", ignoringCase: true)]
            + EncodedJSON.beginnings.map { Clue(ofBase64: $0) }
            + [Clue(beginning: ["@", "", ""], .none)])

    /// A check of one decoded name.
    static let name = Glance(names(tokenIf: .none))

    /// A check for any of `words`, also with `_` and `-` in them.
    convenience init(words: [String]) {
        let separated = words.flatMap { word in
            (2..<word.count).flatMap { length in
                "_-".map { Clue(word.prefix(length) + String($0), ignoringCase: true) }
            } + [Clue(beginning: [word.prefix(1).uppercased() + word.prefix(1), "_-", ""], .none)]
        }
        self.init(Self.fragments + words.map { Clue($0, ignoringCase: true) } + separated)
    }

    private init(_ clues: [Clue]) {
        // Words with the same first letter share a bit.
        let words = Dictionary(grouping: clues.filter { !$0.word.isEmpty }) {
            $0.word[0].lowercased
        }
        let groups = Array(words.values) + clues.filter(\.word.isEmpty).map { [$0] }
        var letters: [UInt8] = []
        var searched: [SearchedClue] = []
        var cluesOfBit: [Range<Int>] = []
        var tables = Tables()
        for (number, group) in groups.enumerated() {
            let first = searched.count
            for clue in group {
                let start = letters.count
                letters += clue.word
                searched.append(
                    SearchedClue(
                        word: start..<letters.count, ignoresCase: clue.ignoresCase,
                        condition: clue.condition))
                tables.add(clue.beginning, bit: UInt64(1) << UInt64(number))
            }
            cluesOfBit.append(first..<searched.count)
        }
        self.letters = letters
        self.clues = searched
        self.cluesOfBit = cluesOfBit
        (firsts, seconds, singles) = (tables.firsts, tables.seconds, tables.singles)
    }

    /// The tables while they are made.
    private struct Tables {
        var firsts = InlineArray<256, UInt64>(repeating: 0)
        var seconds = InlineArray<256, UInt64>(repeating: 0)
        var singles: UInt32 = 0

        /// Adds a clue of three bytes, or of one if only the first is given.
        mutating func add(_ beginning: [[UInt8]], bit: UInt64) {
            let sets = beginning.map { $0.isEmpty ? Array(0...255) : $0.map { Int($0) } }
            let isSingle = beginning[1].isEmpty
            if isSingle { singles |= UInt32(bit) }
            let upper = isSingle ? (sets[1], sets[0]) : (sets[1], sets[2])
            for byte in sets[0] { firsts[byte] |= bit }
            for byte in sets[1] { seconds[byte] |= bit }
            for byte in upper.0 { firsts[byte] |= bit << 32 }
            for byte in upper.1 { seconds[byte] |= bit << 32 }
        }
    }

    private static func names(tokenIf condition: Condition) -> [Clue] {
        SecretName.stems.map { Clue($0, ignoringCase: true) }
            + SecretName.endings.map { Clue($0, ignoringCase: true, .wholeWord) }
            + [
                Clue("token", ignoringCase: true, condition),
                Clue("key", ignoringCase: true, .afterWord),
            ]
    }

    /// What may hide a word: escapes, and a part's name in pieces, such as `name*0=`.
    private static let fragments: [Clue] =
        [
            ["%", "46", ""], ["%", "57", "0123456789AaCcFf"], ["%", "3", "0123456789"],
            ["%", "2", "5AaDdEe"], ["\\", "u", "0"],
        ].map { Clue(beginning: $0, .escape) } + [Clue("me*", ignoringCase: true)]

    // MARK: Search

    /// Whether `range` may contain something to hide, in O(length) and, for most texts, without
    /// allocation.
    ///
    /// - Parameter layer: number of layers of Base64 removed.
    func mayMatch(_ text: Span<UInt8>, _ range: Range<Int>, layer: Int = 0) -> Bool {
        // Three bytes are compared, and a host may have one or be truncated.
        for place in range.suffix(2) where text[place] == UInt8(ascii: "@") { return true }
        let part = text.extracting(range)
        var runs = Base64Runs(layer: layer)
        var index = 0
        while true {
            let pair = firstPair(in: part, from: index)
            if pair.clues == 0 { return false }
            let place = range.lowerBound + pair.index
            let upper = UInt32(truncatingIfNeeded: pair.clues >> 32)
            let lower = UInt32(truncatingIfNeeded: pair.clues)
            if matches(upper & ~singles, text, place - 1, range, &runs)
                || matches(lower, text, place, range, &runs)
                || matches(upper & singles, text, place + 1, range, &runs)
            {
                return true
            }
            if runs.isRestClear { return false }
            index = pair.index + 2
        }
    }

    /// The first pair of bytes that may be a part of a clue, of the pairs at `start`, `start + 2`
    /// and so on.
    ///
    /// The lower half of `clues` has the clues that may begin at `index`. The upper half has those
    /// that may begin one byte earlier, and single bytes one byte later. Both are 0 if there is no
    /// such pair. Separate from the detailed checks, so that this loop keeps its values in registers.
    @inline(never)
    private func firstPair(in text: Span<UInt8>, from start: Int) -> (index: Int, clues: UInt64) {
        let singles = UInt64(singles)
        var index = start
        while index &+ 1 < text.count {
            var found = firsts[Int(text[index])] & seconds[Int(text[index &+ 1])]
            if found != 0 {
                let before = index > 0 ? firsts[Int(text[index &- 1])] : 0
                let third = index &+ 2 < text.count ? seconds[Int(text[index &+ 2])] : 0
                found &= third &>> 32 | before &<< 32 | singles | singles &<< 32
                if found != 0 { return (index, found) }
            }
            index &+= 2
        }
        return (index, 0)
    }

    /// Whether one of the clues in `found` is at `place`.
    private func matches(
        _ found: UInt32, _ text: Span<UInt8>, _ place: Int, _ range: Range<Int>,
        _ runs: inout Base64Runs
    ) -> Bool {
        var found = found
        while found != 0 {
            for index in cluesOfBit[found.trailingZeroBitCount] {
                if matches(clues[index], text, place, range, &runs) { return true }
            }
            found &= found &- 1
        }
        return false
    }

    private func matches(
        _ clue: SearchedClue, _ text: Span<UInt8>, _ place: Int, _ range: Range<Int>,
        _ runs: inout Base64Runs
    ) -> Bool {
        let letters = letters
        let word = letters.span.extracting(clue.word)
        let end = range.upperBound
        guard end - place >= word.count else { return false }
        for index in word.indices {
            let byte = text[place + index]
            if byte != word[index], !clue.ignoresCase || byte.lowercased != word[index] {
                return false
            }
        }
        let next = place + word.count
        return switch clue.condition {
        case .none: true
        case .partOfName: !Self.isPlainName(text, place..<next, in: range)
        case .wholeWord: next == end || text[next] &- UInt8(ascii: "a") >= 26
        case .afterWord: Self.isAfterKeyWord(text, place, from: range.lowerBound)
        case .base64: runs.mayMatch(text, place, in: range)
        case .escape: Self.givesPart(text, place, end)
        }
    }

    // MARK: Conditions

    /// Whether `word` can only be the name of a parameter or member.
    private static func isPlainName(
        _ text: Span<UInt8>, _ word: Range<Int>, in range: Range<Int>
    ) -> Bool {
        let (first, next) = (word.lowerBound, word.upperBound)
        guard first - range.lowerBound >= 2, range.upperBound - next >= 2 else { return false }
        switch text[first - 1] {
        case UInt8(ascii: "&"), UInt8(ascii: "?"), UInt8(ascii: "#"):
            return text[next] == UInt8(ascii: "=")
        case UInt8(ascii: "\""):
            return (text[first - 2] == UInt8(ascii: "{") || text[first - 2] == UInt8(ascii: ","))
                && text[next] == UInt8(ascii: "\"") && text[next + 1] == UInt8(ascii: ":")
        default: return false
        }
    }

    /// Whether the letters before `place` end with one of `SecretName.keyWords`, or an escape may
    /// give a part of what is before it.
    private static func isAfterKeyWord(_ text: Span<UInt8>, _ place: Int, from start: Int) -> Bool {
        var end = place
        while end > start, !text[end - 1].isLetter { end -= 1 }
        for index in max(start, end - 6)..<place
        where text[index] == UInt8(ascii: "%") || text[index] == UInt8(ascii: "\\") { return true }
        return SecretName.keyWords.contains { word in
            end - start >= word.count
                && text.has(word, at: end - word.count, end: end, ignoringCase: true)
        }
    }

    /// Whether the escape at `place` gives a part of a name or value, in the next layer or a later
    /// one.
    private static func givesPart(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        func octet(_ index: Int) -> UInt8? {
            guard end - index >= 2, let high = text[index].hexadecimalValue,
                let low = text[index + 1].hexadecimalValue
            else { return nil }
            return high << 4 | low
        }
        let isPercent = text[place] == UInt8(ascii: "%")
        if !isPercent, end - place < 6 || text[place + 3] != UInt8(ascii: "0") { return false }
        var next = place + (isPercent ? 1 : 4)
        guard var byte = octet(next) else { return true }
        next += 2
        // Each layer removes one `25`.
        while byte == UInt8(ascii: "%"), let nested = octet(next) {
            (byte, next) = (nested, next + 2)
        }
        switch byte {
        case UInt8(ascii: "\\"): return next < end && text[next] == UInt8(ascii: "u")
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"),
            UInt8(ascii: "*"):
            return true
        // In a URL this is usual.
        case UInt8(ascii: "/"): return !isPercent || next - place > 3
        default: return byte.isAlphanumeric
        }
    }
}

/// The Base64 in a text that has been checked already, so that the check of all of it is O(length).
private struct Base64Runs {
    let layer: Int

    /// Whether only Base64 is left that contains nothing to find, neither as text nor decoded.
    private(set) var isRestClear = false

    private var end = 0
    private var checks = 0

    init(layer: Int) { self.layer = layer }

    /// Whether the Base64 at `start`, percent-encoded or not, may contain a credential.
    mutating func mayMatch(_ text: Span<UInt8>, _ start: Int, in range: Range<Int>) -> Bool {
        // Within other letters it begins nothing, unless an escape gives the last of them; the
        // longest escape is `\u0022`, and its backslash may be escaped too. In Base64 that has been
        // checked, each is one of a digit.
        if start > range.lowerBound, text[start - 1].isAlphanumeric {
            let longest = start < end ? 3 : 12
            let isEscaped = (max(range.lowerBound, start - longest)..<start).contains {
                text[$0] == UInt8(ascii: "%") || text[$0] == UInt8(ascii: "\\")
            }
            if !isEscaped { return false }
        }
        guard EncodedJSON.hasBeginning(text, start) else { return false }
        checks = start < end ? checks + 1 : 0
        if checks > Limits.maximumBase64Starts { return true }
        let rest = text.extracting(..<range.upperBound)
        var lettersEnd = Base64Text.endOfGroups(in: rest, from: start)
        while lettersEnd < rest.count, rest[lettersEnd].isAlphanumeric { lettersEnd += 1 }
        var index = EncodedJSON.endOfDigits(rest, from: lettersEnd)
        let plain = text.extracting(start..<index)
        // A copy, only if an escape gives a digit.
        var unescaped: [UInt8] = []
        while index < range.upperBound {
            let octet = PercentEncoding.octet(text, at: index, end: range.upperBound)
            let digit = octet ?? text[index]
            // Further escapes, or a JSON Web Token.
            if digit == UInt8(ascii: "%") || digit == UInt8(ascii: "\\")
                || digit == UInt8(ascii: ".")
            {
                return true
            }
            guard EncodedJSON.isDigit(digit) else { break }
            if unescaped.isEmpty { unescaped = plain.indices.map { plain[$0] } }
            unescaped.append(digit)
            index += octet == nil ? 1 : 3
        }
        end = index
        guard layer < Limits.maximumUnescapedLayers else { return false }
        if EncodedJSON.goesOn(rest, from: end) { return true }
        let count = max(plain.count, unescaped.count)
        guard count >= EncodedJSON.fewestDigits else { return false }
        let decoded =
            unescaped.isEmpty ? EncodedJSON.decode(plain) : EncodedJSON.decode(unescaped.span)
        // With characters of both alphabets, it may end earlier in the next layer.
        guard let octets = decoded else { return true }
        if Glance.credentials.mayMatch(octets.span, octets.indices, layer: layer + 1) {
            return true
        }
        // As text, a name would need a value after it, and a key a sign before it.
        isRestClear =
            end == lettersEnd && Self.isPadding(rest, from: end)
            && EncodedJSON.isSearched(rest, start, as: octets)
        return false
    }

    /// Whether the text from `start` on is padding, percent-encoded or not, or empty.
    private static func isPadding(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        while index < text.count {
            let octet = PercentEncoding.octet(text, at: index, end: text.count)
            guard octet ?? text[index] == UInt8(ascii: "=") else { return false }
            index += octet == nil ? 1 : 3
        }
        return true
    }
}
