// Recognises credentials by their look, anywhere: values after `Bearer`, JSON Web Tokens, keys with
// a vendor's prefix, private keys.
//
// Invariant: matches the text itself, without decoding escapes; the text may continue after a
// match. Left out: keys that look like any other hexadecimal or Base64 text.

import Text

/// A search for credentials by their look, from the start of a text to its end.
struct SecretLook {
    /// The prefix of a key, the minimum number of bytes after it, and whether these include `_` and
    /// `-`.
    static let prefixes: [(text: String, count: Int, isOpen: Bool)] = [
        ("sk_live_", 4, true), ("sk_test_", 4, true), ("rk_live_", 4, true), ("rk_test_", 4, true),
        ("sk-", 20, true), ("whsec_", 4, true), ("shpat_", 8, false), ("shpss_", 8, false),
        ("ghp_", 8, false), ("gho_", 8, false), ("ghu_", 8, false), ("ghs_", 8, false),
        ("ghr_", 8, false), ("github_pat_", 8, true), ("glpat-", 8, true), ("glsa_", 8, true),
        ("xoxb-", 4, true), ("xoxp-", 4, true), ("xoxa-", 4, true), ("xoxr-", 4, true),
        ("xoxs-", 4, true), ("xoxe-", 4, true), ("xapp-", 4, true),
        ("AKIA", 12, false), ("ASIA", 12, false), ("AIza", 16, true), ("npm_", 16, false),
        ("pypi-", 16, true), ("SG.", 16, true), ("ya29.", 8, true),
    ]

    /// The prefixes by their first byte.
    private static let byFirst: [[(word: [UInt8], count: Int, isOpen: Bool)]] = (0...255).map {
        byte in
        prefixes.map { (Array($0.text.utf8), $0.count, $0.isOpen) }.filter { $0.0[0] == byte }
    }

    /// For each byte, whether a credential, or JSON in Base64, may begin with it.
    static let mayBegin: [Bool] = byFirst.indices.map { byte in
        !byFirst[byte].isEmpty || "Bb-eW".utf8.contains(UInt8(byte))
    }

    /// Where a JSON Web Token may begin next: one that begins earlier has too few parts.
    private var nextToken = 0

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
            let first = start + prefix.word.count
            let last = Self.endOfRun(text, first, isOpen: prefix.isOpen)
            if last - first >= prefix.count { return start..<last }
        }
        return nil
    }

    // MARK: Looks

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
        var last = first
        while last < text.count, Self.isToken68(text[last]) { last += 1 }
        basicEnd = isBasic ? last : basicEnd
        guard last - first >= 4 else { return nil }
        let value = (first..<last).map { text[$0] }
        // In prose, a plain word follows.
        let isWord = value.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: ".") }
        if isWord, isBasic || text[start] == UInt8(ascii: "b") { return nil }
        if !isBasic || value.count >= 8 && value.contains(where: \.isDigit) { return first..<last }
        if case .octets(let octets, _) = Base64Text.decode(value[...]),
            octets.contains(UInt8(ascii: ":"))
        {
            return first..<last
        }
        return nil
    }

    /// A JSON Web Token: at least three parts, the first of which is an object in Base64 (RFC 7515
    /// §7.1).
    private mutating func token(_ text: Span<UInt8>, _ start: Int) -> Range<Int>? {
        guard start >= nextToken, text.count - start >= 3,
            "y3w".utf8.contains(text[start + 1]), "Jso".utf8.contains(text[start + 2]),
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

    private static func isToken68(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "=")
    }
}
