// Recognises credentials by their look, anywhere: values after `Bearer`, JSON Web Tokens, keys with
// a vendor's prefix, private keys.
//
// Invariant: matches the text itself; escapes are decoded only within what follows `Bearer` and
// `Basic`. The text may continue after a match.
// Left out: keys that look like any other hexadecimal or Base64 text.

import Text

/// A search for credentials by their look, from the start of a text to its end.
struct SecretLook {
    /// What follows the prefix of a key.
    enum Rest {
        /// At least this many letters and digits.
        case letters(Int)
        /// At least this many letters, digits, `_` and `-`.
        case open(Int)
        /// At least 20 letters, digits, `_` and `-`, with a run of 16 letters and digits that
        /// includes a digit.
        ///
        /// Ids of a partner may begin like such a key: `sk-bratislava-hlavna-20261121`.
        case random
        /// Exactly 16 capital letters and digits.
        case capitals
        /// 16 or more letters, digits, `_` and `-`, a point, then 32 or more.
        case twoParts
    }

    /// The prefix of each kind of key, and what follows it.
    static let prefixes: [(text: String, rest: Rest)] = [
        ("sk_live_", .open(4)), ("sk_test_", .open(4)), ("rk_live_", .open(4)),
        ("rk_test_", .open(4)), ("sk-ant-", .open(20)), ("sk-proj-", .open(20)),
        ("sk-svcacct-", .open(20)), ("sk-admin-", .open(20)), ("sk-", .random),
        ("whsec_", .open(4)), ("shpat_", .letters(8)), ("shpss_", .letters(8)),
        ("ghp_", .letters(8)), ("gho_", .letters(8)),
        ("ghu_", .letters(8)), ("ghs_", .letters(8)), ("ghr_", .letters(8)),
        ("github_pat_", .open(8)), ("glpat-", .open(8)), ("glsa_", .open(8)), ("xoxb-", .open(4)),
        ("xoxp-", .open(4)), ("xoxa-", .open(4)), ("xoxr-", .open(4)), ("xoxs-", .open(4)),
        ("xoxe-", .open(4)), ("xapp-", .open(4)), ("AKIA", .capitals), ("ASIA", .capitals),
        ("AIza", .open(16)), ("npm_", .letters(16)), ("pypi-", .open(16)), ("SG.", .twoParts),
        ("ya29.", .open(8)),
    ]

    /// The prefixes by their first byte.
    private static let byFirst: [[(word: [UInt8], rest: Rest)]] = (0...255).map { byte in
        prefixes.map { (Array($0.text.utf8), $0.rest) }.filter { $0.0[0] == byte }
    }

    /// For each byte, whether a credential, or JSON in Base64, may begin with it.
    static let mayBegin: [Bool] = byFirst.indices.map { byte in
        !byFirst[byte].isEmpty || "Bb-".utf8.contains(UInt8(byte))
            || EncodedJSON.beginnings.joined().contains { $0[0] == byte }
    }

    /// Where a JSON Web Token may begin next: one that begins earlier has too few parts.
    private var nextToken = 0

    /// Where a key of `random` text may begin next: one that begins earlier is too short or not
    /// random.
    private var nextRandom = 0

    /// The end of the last text after `Basic`, and how often it was decoded.
    private var (basicEnd, basicTries) = (0, 0)

    /// The secret part of a credential at `start`; nil if none begins there.
    ///
    /// O(text) for all calls together, if `start` ascends.
    mutating func range(in text: Span<UInt8>, at start: Int) -> Range<Int>? {
        switch text[start] {
        case UInt8(ascii: "B"), UInt8(ascii: "b"): return afterScheme(text, start)
        case UInt8(ascii: "-"): return Self.privateKey(text, start)
        case UInt8(ascii: "e"): return token(text, start)
        default: break
        }
        let prefixes = Self.byFirst[Int(text[start])]
        if prefixes.isEmpty || start > 0 && text[start - 1].isAlphanumeric { return nil }
        for prefix in prefixes where Self.has(prefix.word, text, start) {
            if let last = end(of: prefix.rest, text, start + prefix.word.count) {
                return start..<last
            }
        }
        return nil
    }

    // MARK: Looks

    /// The end of `rest`, which begins at `first`; nil if other text is there.
    private mutating func end(of rest: Rest, _ text: Span<UInt8>, _ first: Int) -> Int? {
        switch rest {
        case .letters(let count):
            let last = Self.endOfRun(text, first, isOpen: false)
            return last - first >= count ? last : nil
        case .open(let count):
            let last = Self.endOfRun(text, first, isOpen: true)
            return last - first >= count ? last : nil
        case .random:
            guard first >= nextRandom else { return nil }
            let last = Self.endOfRun(text, first, isOpen: true)
            if last - first >= 20, Self.hasRandomRun(text, first..<last) { return last }
            nextRandom = last
            return nil
        case .capitals:
            let last = Self.endOfRun(text, first, isOpen: false)
            let isUpper = (first..<last).allSatisfy { !text[$0].isLowercaseLetter }
            return last - first == 16 && isUpper ? last : nil
        case .twoParts:
            let point = Self.endOfRun(text, first, isOpen: true)
            guard point - first >= 16, point < text.count, text[point] == UInt8(ascii: ".") else {
                return nil
            }
            let last = Self.endOfRun(text, point + 1, isOpen: true)
            return last - point > 32 ? last : nil
        }
    }

    /// Whether 16 letters and digits in a row include a digit.
    private static func hasRandomRun(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = endOfRun(text, start, isOpen: false)
            if end - start >= 16, (start..<end).contains(where: { text[$0].isDigit }) {
                return true
            }
            start = end + 1
        }
        return false
    }

    private static let schemes = [Array("bearer".utf8), Array("basic".utf8)]

    /// The credentials after `Bearer` or `Basic` (RFC 9110 §11.4).
    private mutating func afterScheme(_ text: Span<UInt8>, _ start: Int) -> Range<Int>? {
        guard
            let scheme = Self.schemes.first(where: {
                text.has($0, at: start, end: text.count, ignoringCase: true)
            }), start == 0 || !text[start - 1].isLetter
        else { return nil }
        let isBasic = scheme.count == 5
        var first = start + scheme.count
        while first < text.count, text[first].isBlank || text[first] == UInt8(ascii: "+") {
            first += 1
        }
        guard first > start + scheme.count else { return nil }
        if isBasic { basicTries = first < basicEnd ? basicTries + 1 : 0 }
        if isBasic, basicTries > Limits.maximumBase64Starts { return first..<basicEnd }
        let last = Self.endOfToken68(text, first)
        basicEnd = isBasic ? last : basicEnd
        guard last - first >= 4 else { return nil }
        let value = (first..<last).map { text[$0] }
        // In prose, a plain word follows.
        let isWord = value.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: ".") }
        if isWord, isBasic || text[start] == UInt8(ascii: "b") { return nil }
        if !isBasic { return first..<last }
        // A name and a colon (RFC 7617 §2). What follows may be a part of the sentence.
        var digits = value.prefix { $0.isAlphanumeric || "+/-_".utf8.contains($0) }
        if digits.count % 4 == 1 { digits.removeLast() }
        if case .octets(let octets, _) = Base64Text.decode(digits),
            let colon = octets.firstIndex(of: UInt8(ascii: ":")),
            octets[..<colon].allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        {
            return first..<last
        }
        return nil
    }

    /// A JSON Web Token: at least three parts, the first of which is an object in Base64 (RFC 7515
    /// §7.1).
    private mutating func token(_ text: Span<UInt8>, _ start: Int) -> Range<Int>? {
        guard start >= nextToken, EncodedJSON.hasBeginning(text, start),
            start == 0 || !text[start - 1].isAlphanumeric
        else { return nil }
        var (index, parts) = (start, 0)
        while true {
            let last = Self.endOfRun(text, index, isOpen: true)
            // The signature of an unsigned token is empty.
            guard last - index >= 2 || parts >= 2 else {
                nextToken = last
                return nil
            }
            parts += 1
            index = last
            guard index < text.count, text[index] == UInt8(ascii: "."), parts < 5 else { break }
            index += 1
        }
        if parts >= 3 { return start..<index }
        nextToken = index
        return nil
    }

    /// From the first line of a private key to its last, or to the end of the text (RFC 7468 §10).
    private static func privateKey(_ text: Span<UInt8>, _ start: Int) -> Range<Int>? {
        let (label, end) = (start + 11, text.count)
        guard has(Array("-----BEGIN ".utf8), text, start) else { return nil }
        var labelEnd = label
        while labelEnd < min(end, label + 64), text[labelEnd] != UInt8(ascii: "-") { labelEnd += 1 }
        let word = Array("PRIVATE KEY".utf8)
        guard text.index(of: word, from: label, to: labelEnd) != nil else { return nil }
        guard var last = text.index(of: Array("-----END".utf8), from: labelEnd, to: end) else {
            return start..<end
        }
        last += 8
        while last < end, text[last] != UInt8(ascii: "-") { last += 1 }
        while last < end, text[last] == UInt8(ascii: "-") { last += 1 }
        return start..<last
    }

    // MARK: Bytes

    private static func has(_ word: [UInt8], _ text: Span<UInt8>, _ start: Int) -> Bool {
        text.has(word, at: start, end: text.count, ignoringCase: false)
    }

    /// The end of the letters and digits from `start` on, with `_` and `-` if it `isOpen`.
    private static func endOfRun(_ text: Span<UInt8>, _ start: Int, isOpen: Bool) -> Int {
        var index = start
        while index < text.count,
            text[index].isAlphanumeric
                || isOpen && (text[index] == UInt8(ascii: "_") || text[index] == UInt8(ascii: "-"))
        {
            index += 1
        }
        return index
    }

    /// The end of the credentials that begin at `start`, in which characters may be escaped.
    private static func endOfToken68(_ text: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < text.count {
            let octet = PercentEncoding.octet(text, at: index, end: text.count)
            guard isToken68(octet ?? text[index]) else { break }
            index += octet == nil ? 1 : 3
        }
        return index
    }

    private static func isToken68(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "=")
    }
}
