// Recognises credentials by their look, anywhere: values after `Bearer`, JSON Web Tokens, keys with
// a vendor's prefix, private keys.
//
// Invariant: matches the text itself, without decoding escapes; the text may continue after a
// match. Left out: keys that look like any other hexadecimal or Base64 text.

import JSON

/// Recognises credentials by their look.
enum SecretLook {
    /// The prefix of a key, the minimum number of bytes after it, and whether these include `_` and
    /// `-`.
    private static let prefixes: [(text: String, count: Int, isOpen: Bool)] = [
        ("sk_live_", 4, true), ("sk_test_", 4, true), ("rk_live_", 4, true), ("rk_test_", 4, true),
        ("sk-", 20, true), ("whsec_", 4, true), ("shpat_", 8, false), ("shpss_", 8, false),
        ("ghp_", 8, false), ("gho_", 8, false), ("ghu_", 8, false), ("ghs_", 8, false),
        ("ghr_", 8, false), ("github_pat_", 8, true), ("glpat-", 8, true), ("glsa_", 8, true),
        ("xoxb-", 4, true), ("xoxp-", 4, true), ("xoxa-", 4, true), ("xoxr-", 4, true),
        ("xoxs-", 4, true), ("xoxe-", 4, true), ("xapp-", 4, true),
        ("AKIA", 12, false), ("ASIA", 12, false), ("AIza", 16, true), ("npm_", 16, false),
        ("pypi-", 16, true), ("SG.", 16, true), ("ya29.", 8, true),
    ]

    /// The secret part of a credential at `start`; nil if none begins there.
    ///
    /// O(its length).
    static func range(_ needle: Needle, _ text: Span<UInt8>, at start: Int, end: Int) -> Range<Int>?
    {
        switch needle {
        case .scheme: return afterScheme(text, start, end)
        case .fence: return privateKey(text, start, end)
        case .base64: return token(text, start, end)
        case .stripe, .hook, .git, .github, .chat, .cloud, .package, .mail: break
        default: return nil
        }
        if start > 0, isDigit(text[start - 1]) { return nil }
        for prefix in prefixes where stands(prefix.text, text, start, end) {
            let first = start + prefix.text.utf8.count
            let last = endOfRun(text, first, end, isOpen: prefix.isOpen)
            if last - first >= prefix.count { return start..<last }
        }
        return nil
    }

    /// Whether a credential may begin at `start`, considering escapes; false is always correct.
    static func mayBegin(_ needle: Needle, _ text: Span<UInt8>, at start: Int, end: Int) -> Bool {
        switch needle {
        case .scheme:
            guard let next = endOfScheme(text, start, end), next < end else { return false }
            if isEscape(text[next]) { return true }
            guard isBlank(text[next]) else { return false }
            var first = next
            while first < end, isBlank(text[first]) { first += 1 }
            return text[start] == UInt8(ascii: "B") || !isPlainWord(text, first, end)
        case .fence: return stands("-----BEGIN", text, start, end)
        case .base64:
            if isWithinRun(text, start) { return false }
            let last = endOfRun(text, start, end, isOpen: true)
            if last < end, text[last] == UInt8(ascii: ".") { return true }
            return EncodedJSON.mayHold(text, start, end)
        default:
            return prefixes.contains { stands($0.text, text, start, end) }
        }
    }

    // MARK: Looks

    /// The credentials after `Bearer` or `Basic` (RFC 9110 §11.4).
    private static func afterScheme(
        _ text: Span<UInt8>, _ start: Int, _ end: Int
    ) -> Range<Int>? {
        guard let blank = endOfScheme(text, start, end) else { return nil }
        if start > 0, isLetter(text[start - 1]) { return nil }
        var first = blank
        while first < end, isBlank(text[first]) { first += 1 }
        guard first > blank else { return nil }
        var last = first
        while last < end, isToken68(text[last]) { last += 1 }
        let isBasic = blank - start == 5
        guard last - first >= 4 else { return nil }
        let value = (first..<last).map { text[$0] }
        // In prose, a plain word follows.
        let isWord = value.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: ".") }
        if isWord, isBasic || text[start] == UInt8(ascii: "b") { return nil }
        if !isBasic { return first..<last }
        if case .octets(let octets, _) = Base64Text.decode(value[...]),
            octets.contains(UInt8(ascii: ":"))
        {
            return first..<last
        }
        let hasNumber = value.contains { $0 &- UInt8(ascii: "0") < 10 }
        return hasNumber && value.count >= 8 ? first..<last : nil
    }

    /// Whether lower-case letters follow, and after them neither a digit nor an escape: prose.
    private static func isPlainWord(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var index = start
        while index < end, text[index] &- UInt8(ascii: "a") < 26 { index += 1 }
        return index == end || !isToken68(text[index]) && !isEscape(text[index])
            || text[index] == UInt8(ascii: ".")
                && (index + 1 == end || !isToken68(text[index + 1]) && !isEscape(text[index + 1]))
    }

    /// The end of `Bearer` or `Basic`, in any case.
    private static func endOfScheme(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        for scheme in ["bearer", "basic"] {
            var index = start
            for letter in scheme.utf8 {
                guard index < end, text[index] | 0x20 == letter else { break }
                index += 1
            }
            guard index - start == scheme.utf8.count else { continue }
            return index < end && isLetter(text[index]) ? nil : index
        }
        return nil
    }

    /// A JSON Web Token: at least three parts, the first of which is an object in Base64 (RFC 7515
    /// §7.1).
    private static func token(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int>? {
        guard text[start] == UInt8(ascii: "e"), start == 0 || !isDigit(text[start - 1]) else {
            return nil
        }
        var (index, parts) = (start, 0)
        while true {
            let last = endOfRun(text, index, end, isOpen: true)
            // The signature of an unsigned token is empty.
            guard last - index >= 2 || parts >= 2 else { return nil }
            parts += 1
            index = last
            guard index < end, text[index] == UInt8(ascii: "."), parts < 5 else { break }
            index += 1
        }
        return parts >= 3 ? start..<index : nil
    }

    /// From the first line of a private key to its last, or to the end of the text (RFC 7468 §10).
    private static func privateKey(
        _ text: Span<UInt8>, _ start: Int, _ end: Int
    ) -> Range<Int>? {
        guard stands("-----BEGIN ", text, start, end) else { return nil }
        var index = start + 11
        var isPrivate = false
        while index < end, index - start < 64, text[index] != UInt8(ascii: "-") {
            if stands("PRIVATE KEY", text, index, end) { isPrivate = true }
            index += 1
        }
        guard isPrivate else { return nil }
        while index < end {
            if text[index] == UInt8(ascii: "-"), stands("-----END", text, index, end) {
                index += 8
                while index < end, text[index] != UInt8(ascii: "-") { index += 1 }
                while index < end, text[index] == UInt8(ascii: "-") { index += 1 }
                return start..<index
            }
            index += 1
        }
        return start..<end
    }

    // MARK: Bytes

    private static func stands(
        _ word: String, _ text: Span<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        guard end - start >= word.utf8.count else { return false }
        var index = start
        for byte in word.utf8 {
            if text[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// The end of the letters and digits from `start` on, with `_`, `-` and `.` if it `isOpen`.
    private static func endOfRun(
        _ text: Span<UInt8>, _ start: Int, _ end: Int, isOpen: Bool
    ) -> Int {
        var index = start
        while index < end,
            isDigit(text[index])
                || isOpen && (text[index] == UInt8(ascii: "_") || text[index] == UInt8(ascii: "-"))
        {
            index += 1
        }
        return index
    }

    /// Whether letters or digits precede `start`, and no escape gives the last of them.
    private static func isWithinRun(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard start > 0, isDigit(text[start - 1]) else { return false }
        // The longest escape is `\u0022`, and its backslash may be escaped too.
        for index in max(0, start - 12)..<start where isEscape(text[index]) { return false }
        return true
    }

    private static func isEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "+")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- UInt8(ascii: "0") < 10
    }

    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: isDigit(byte)
        }
    }
}
