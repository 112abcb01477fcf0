// Whether a name is that of a credential, by its parts: `x-api-key`, `newPassword`, `db_pwd2`.
//
// Invariant: a stem is judged by the few bytes around it, so that the check of a whole text and of
// one name follow the same rules. The check of a text has only false positives: it ignores what
// precedes a stem, which an escape may have put there. Left out: names in other languages, and
// credentials with neutral names.

import JSON

/// The stems of credentials' names, and the conditions on their surroundings.
enum SecretName {
    /// The kind of check.
    enum Question {
        /// Whether a parameter or member of exactly this name holds a credential.
        case name
        /// The same for a header field or a `name` with a `value`, where `token` and `auth` match
        /// too.
        case field
        /// Whether such a name may be around this place in a longer text.
        case glance
    }

    /// Whether a value with this decoded name is a credential, in O(length).
    static func isSecret(_ name: ArraySlice<UInt8>, _ question: Question = .name) -> Bool {
        let text = name.span
        return Needles.credentials.contains(in: text, 0..<text.count) { needle, place in
            isSecret(needle, text, place, 0..<text.count, question)
        }
    }

    /// Whether the stem of `needle` at `place` makes a name within `range` that of a credential.
    static func isSecret(
        _ needle: Needle, _ text: Span<UInt8>, _ place: Int, _ range: Range<Int>,
        _ question: Question
    ) -> Bool {
        let stem = Stem(place: place, range: range, question: question)
        return switch needle {
        case .pass: stem.isPass(text)
        case .pwd: stem.has("pwd", text) || stem.has("pswd", text)
        case .secret: stem.isSecret(text)
        case .token: stem.isToken(text)
        case .key: stem.isKey(text)
        case .login: stem.has("login", text) && stem.isLast(text, 5, after: Stem.owners)
        case .credential:
            stem.has("credential", text) || stem.isWord("creds", text)
                || stem.isWord("cred", text)
        case .auth: stem.isAuth(text)
        case .web: stem.isWord("jwt", text)
        case .cookie: stem.isCookie(text)
        case .forgery: stem.has("csrf", text) || stem.has("xsrf", text)
        case .code: stem.isWord("otp", text) || stem.has("otp", text) && stem.follows("t", text)
        case .session:
            stem.has("sessid", text, from: -3) || stem.has("jsessionid", text, from: -7)
                || stem.has("connect.sid", text, from: -8)
        case .scheme: stem.isWord("bearer", text) && stem.isLast(text, 6, after: [])
        default: false
        }
    }
}

/// One stem in a text, and the conditions on its surroundings.
private struct Stem {
    let place: Int
    let range: Range<Int>
    let question: SecretName.Question

    /// Words that make a following `pass` or `login` a credential's name.
    static let owners = [
        "user", "admin", "db", "database", "account", "client", "customer", "partner", "portal",
        "api", "smtp", "ftp", "mail", "root", "proxy", "my", "http",
    ]

    /// Words that make a following `key` a credential's name.
    private static let keys = [
        "api", "auth", "access", "secret", "private", "encryption", "decryption", "crypt", "crypto",
        "cipher", "signing", "signature", "sign", "session", "master", "client", "account",
        "shared", "ssh", "consumer", "app", "application", "service", "subscription", "function",
        "functions", "hmac", "rsa", "aes", "partner", "server", "security", "admin", "webhook",
        "deploy", "license", "login", "token", "oauth", "vault",
    ]

    private var isGlance: Bool { question == .glance }

    /// Whether `word` is here, in any case, at `offset` bytes after the stem's start.
    func has(_ word: String, _ text: Span<UInt8>, from offset: Int = 0) -> Bool {
        var index = place + offset
        guard index >= range.lowerBound, range.upperBound - index >= word.utf8.count else {
            return false
        }
        for letter in word.utf8 {
            if text[index] | 0x20 != letter { return false }
            index += 1
        }
        return true
    }

    /// Whether `word` is here as a whole word: `otp_code`, but not `footprint`.
    func isWord(_ word: String, _ text: Span<UInt8>) -> Bool {
        has(word, text) && !goesOn(text, word.utf8.count) && begins(text)
    }

    /// Whether a letter of the same word follows the first `count` bytes.
    private func goesOn(_ text: Span<UInt8>, _ count: Int) -> Bool {
        let next = place + count
        guard next < range.upperBound, Self.isLetter(text[next]) else { return false }
        return !(Self.isLower(text[next - 1]) && !Self.isLower(text[next]))
    }

    /// Whether a word begins here.
    private func begins(_ text: Span<UInt8>) -> Bool {
        if isGlance || place == range.lowerBound { return true }
        let (before, first) = (text[place - 1], text[place])
        if !Self.isLetter(before) { return true }
        if Self.isLower(first) { return false }
        return Self.isLower(before)
            || place + 1 < range.upperBound && Self.isLower(text[place + 1])
    }

    /// Whether `letter` precedes the stem.
    func follows(_ letter: Character, _ text: Span<UInt8>) -> Bool {
        place > range.lowerBound && text[place - 1] | 0x20 == letter.asciiValue
    }

    // MARK: Stems

    func isPass(_ text: Span<UInt8>) -> Bool {
        if has("pasword", text) || has("paswd", text) { return true }
        guard has("pass", text) else { return false }
        let rest = place + 4 < range.upperBound && Self.isJoint(text[place + 4]) ? 5 : 4
        for end in ["word", "wd", "wrd", "wort", "phrase", "code"]
        where has(end, text, from: rest) { return true }
        return !goesOn(text, 4) && isLast(text, 4, after: Self.owners)
    }

    /// `secret` anywhere, but not `secretary`.
    func isSecret(_ text: Span<UInt8>) -> Bool {
        guard has("secret", text) else { return false }
        guard goesOn(text, 6) else { return true }
        switch text[place + 6] | 0x20 {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "l"):
            return false
        default: return true
        }
    }

    /// Any token except one named exactly `token`, which a contract stores.
    func isToken(_ text: Span<UInt8>) -> Bool {
        guard has("token", text) else { return false }
        if goesOn(text, 5) {
            guard has("tokens", text), !goesOn(text, 6) else { return false }
            return isGlance
                || isAfter(["access", "refresh", "auth", "id", "session", "api", "device"], text)
        }
        switch question {
        case .field: return true
        case .name: return !isAlone(text)
        case .glance: return !isPlainName(text)
        }
    }

    /// Whether no other word of the name is next to `token`, except an index.
    private func isAlone(_ text: Span<UInt8>) -> Bool {
        if place > range.lowerBound, Self.isInName(text[place - 1]) { return false }
        var next = place + 5
        while next < range.upperBound, Self.isInName(text[next]) {
            guard Self.isJoint(text[next]) || text[next] &- UInt8(ascii: "0") < 10 else {
                return false
            }
            next += 1
        }
        return true
    }

    /// Whether `token` can only be the name of a parameter or member.
    private func isPlainName(_ text: Span<UInt8>) -> Bool {
        let next = place + 5
        guard place > range.lowerBound, next < range.upperBound else { return false }
        switch text[place - 1] {
        case UInt8(ascii: "&"), UInt8(ascii: "?"), UInt8(ascii: "#"):
            return text[next] == UInt8(ascii: "=")
        case UInt8(ascii: "\""):
            guard place - range.lowerBound >= 2, range.upperBound - next >= 2 else { return false }
            let before = text[place - 2]
            return (before == UInt8(ascii: "{") || before == UInt8(ascii: ","))
                && text[next] == UInt8(ascii: "\"") && text[next + 1] == UInt8(ascii: ":")
        default: return false
        }
    }

    func isKey(_ text: Span<UInt8>) -> Bool {
        guard has("key", text) else { return false }
        let isWhole =
            !goesOn(text, 3) || has("keys", text) && !goesOn(text, 4)
            || has("keyid", text) && !goesOn(text, 5)
        return isWhole && isAfter(Self.keys, text)
    }

    func isAuth(_ text: Span<UInt8>) -> Bool {
        guard has("auth", text) else { return false }
        if has("authorization", text) || has("authorisation", text) { return true }
        if question != .name {
            if has("authentication", text) || !goesOn(text, 4) && begins(text) { return true }
        }
        let rest = place + 4 < range.upperBound && Self.isJoint(text[place + 4]) ? 5 : 4
        for end in ["code", "header", "string", "data", "value", "cookie"]
        where has(end, text, from: rest) && !goesOn(text, rest + end.utf8.count) { return true }
        return !goesOn(text, 4) && isIndex(text, from: place + 4)
            && isAfter(["basic", "http", "proxy", "x"], text)
    }

    func isCookie(_ text: Span<UInt8>) -> Bool {
        guard has("cookie", text) else { return false }
        if isGlance { return true }
        let end = has("cookies", text) ? 7 : 6
        return !goesOn(text, end) && begins(text) && isIndex(text, from: place + end)
    }

    // MARK: Surroundings

    /// Whether a stem of `count` bytes is the whole name, apart from `x-` and an index, or ends it
    /// after one of `words`.
    func isLast(_ text: Span<UInt8>, _ count: Int, after words: [String]) -> Bool {
        if goesOn(text, count) { return false }
        if isGlance { return true }
        guard isIndex(text, from: place + count) else { return false }
        return isFirst(text) || isAfter(words, text)
    }

    /// Whether only `x-` precedes the stem.
    private func isFirst(_ text: Span<UInt8>) -> Bool {
        let count = place - range.lowerBound
        return count == 0
            || count == 2 && text[range.lowerBound] | 0x20 == UInt8(ascii: "x")
                && Self.isJoint(text[place - 1])
    }

    /// Whether only brackets, joints and digits follow.
    private func isIndex(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        while index < range.upperBound {
            guard Self.isJoint(text[index]) || text[index] &- UInt8(ascii: "0") < 10 else {
                return false
            }
            index += 1
        }
        return true
    }

    /// Whether one of `words` ends before the stem, with at most three joints between them.
    private func isAfter(_ words: [String], _ text: Span<UInt8>) -> Bool {
        var end = place
        while end > range.lowerBound, place - end < 3, Self.isJoint(text[end - 1]) { end -= 1 }
        if isGlance {
            // An escape may give a joint, or the end of a word.
            for index in max(range.lowerBound, end - 3)..<end
            where text[index] == UInt8(ascii: "%") || text[index] == UInt8(ascii: "\\") {
                return true
            }
        }
        for word in words {
            let start = end - word.utf8.count
            guard start >= range.lowerBound else { continue }
            let other = Stem(place: start, range: range, question: question)
            // `x` and `my` only as whole words; longer words may end another: `myapikey`.
            if other.has(word, text), word.utf8.count > 2 || other.begins(text) { return true }
        }
        return false
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }

    /// Whether `byte` may be inside a name.
    private static func isInName(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte >= 0x80 || isJoint(byte)
    }

    /// Whether `byte` joins the words of a name.
    private static func isJoint(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "/"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
