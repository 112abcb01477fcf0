// Whether a name is that of a credential, by its parts: `x-api-key`, `newPassword`, `db_pwd2`.
//
// Invariant: such a name contains one of `stems` or `endings`, or `token`, or `key` after one of
// `keyWords`, so that a text without them contains none. Left out: names in other languages, and
// credentials with neutral names.

import Text

/// A name as the words that it consists of.
struct SecretName {
    /// Words that are in the names of credentials.
    static let stems = [
        "pass", "pasw", "pwd", "pswd", "secret", "login", "cred", "auth", "cookie", "csrf", "xsrf",
        "totp", "sessid", "jsessionid", "connect.sid", "bearer",
    ]

    /// Words that count only at the end of letters.
    static let endings = ["jwt", "otp"]

    /// Words that make a following `key` a credential's name.
    static let keyWords = [
        "api", "auth", "access", "secret", "private", "encryption", "decryption", "crypt", "crypto",
        "cipher", "signing", "signature", "sign", "session", "master", "client", "account",
        "shared", "ssh", "consumer", "app", "application", "service", "subscription", "function",
        "functions", "hmac", "rsa", "aes", "partner", "server", "security", "admin", "webhook",
        "deploy", "license", "login", "token", "oauth", "vault",
    ].map { Array($0.utf8) }

    /// Words that make a following `pass` or `login` a credential's name.
    private static let owners = words([
        "user", "admin", "db", "database", "account", "client", "customer", "partner", "portal",
        "api", "smtp", "ftp", "mail", "root", "proxy", "my", "http",
    ])

    private static let anywhere = words([
        "pasword", "paswd", "pwd", "pswd", "credential", "authorization", "authorisation", "csrf",
        "xsrf", "totp", "sessid", "jsessionid", "connect.sid",
    ])

    /// Also with a sign within.
    private static let compounds = words([
        "password", "passwd", "passwrd", "passwort", "passphrase", "passcode",
    ])

    private static let alone = words(["cred", "creds"])
    private static let atEnd = words(endings)
    private static let auth = Array("auth".utf8)
    private static let authentication = Array("authentication".utf8)
    private static let afterAuth = words(["code", "header", "string", "data", "value", "cookie"])
    private static let authCompounds = afterAuth.map { auth + $0 }
    private static let beforeAuth = words(["basic", "http", "proxy", "x"])
    private static let beforeTokens = words([
        "access", "refresh", "auth", "id", "session", "api", "device",
    ])
    private static let tokens = Array("tokens".utf8)
    private static let keys = words(["key", "keys", "keyid"])
    private static let secret = Array("secret".utf8)
    private static let logins = words(["pass", "login"])
    private static let cookies = words(["cookie", "cookies"])

    private static func words(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    /// Maximum bytes of a name that is looked at closely; vendors' names have a dozen.
    private static let maximumBytes = 1024

    /// The name in lower case.
    private let text: [UInt8]

    /// Its runs of letters in lower case.
    private let words: [ArraySlice<UInt8>]

    /// Whether only signs and digits, such as those of an index, follow the last word.
    private let endsWithIndex: Bool

    /// Whether a value with this decoded name is a credential, in O(length).
    ///
    /// A longer name than `maximumBytes` is a credential's if a glance sees one of the words in it.
    ///
    /// - Parameter isField: whether it is the name of a header field or in a `name` with a `value`,
    ///   where `token` and `auth` match too.
    static func isSecret(_ name: ArraySlice<UInt8>, isField: Bool = false) -> Bool {
        guard Glance.name.mayMatch(name.span, 0..<name.count) else { return false }
        if name.count > maximumBytes { return true }
        let text = name.map(\.lowercased)
        if anywhere.contains(where: { contains(text[...], $0) }) { return true }
        let splits = text.elementsEqual(name) ? [.never] : Split.allCases
        var former: [ArraySlice<UInt8>] = []
        return splits.contains { split in
            let parts = SecretName(name, text, split)
            if parts.words == former { return false }
            former = parts.words
            return parts.isSecret(isField)
        }
    }

    /// Where words begin within letters; a name counts if it does in any of these ways.
    private enum Split: CaseIterable {
        /// Nowhere: `apikey`.
        case never
        /// At a capital after a small letter: `apiKey`.
        case afterSmall
        /// Also at one before a small letter: `APIKey`.
        case beforeSmall
    }

    private init(_ name: ArraySlice<UInt8>, _ text: [UInt8], _ split: Split) {
        let name = Array(name)
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0...name.count {
            let isEnd = index == name.count || !name[index].isLetter
            if !isEnd {
                func isSmall(_ place: Int) -> Bool {
                    name.indices.contains(place) && name[place] &- UInt8(ascii: "a") < 26
                }
                let isBeginning =
                    isSmall(index - 1) || split == .beforeSmall && isSmall(index + 1)
                guard split != .never, index > start, !isSmall(index), isBeginning else { continue }
            }
            if start < index { words.append(text[start..<index]) }
            start = isEnd ? index + 1 : index
        }
        self.text = text
        self.words = words
        endsWithIndex = text[(words.last?.endIndex ?? 0)...].allSatisfy { $0.isDigit || $0.isJoint }
    }

    private func isSecret(_ isField: Bool) -> Bool {
        let joined = Array(words.joined())[...]
        if Self.compounds.contains(where: { Self.contains(joined, $0) }) { return true }
        return words.indices.contains { isSecret(at: $0, isField) }
    }

    /// Whether the word at `index` makes the name that of a credential.
    private func isSecret(at index: Int, _ isField: Bool) -> Bool {
        let word = words[index]
        let isLast = index == words.count - 1 && endsWithIndex
        if Self.alone.contains(where: word.elementsEqual) || Self.hasSecret(word) { return true }
        if Self.atEnd.contains(where: word.hasSuffix) { return true }
        for key in Self.keys where follows(Self.keyWords, key, index) { return true }
        if word.hasSuffix("token") { return isField || !isOnlyToken }
        if follows(Self.beforeTokens, Self.tokens, index) { return true }
        if isLast, Self.logins.contains(where: { isLogin($0, index) }) { return true }
        if isLast, Self.cookies.contains(where: word.hasSuffix) { return true }
        if isLast, word.elementsEqual("bearer".utf8), isFirst(index) { return true }
        return isAuth(index, isLast, isField)
    }

    private func isAuth(_ index: Int, _ isLast: Bool, _ isField: Bool) -> Bool {
        let word = words[index]
        if isField, word.elementsEqual(Self.auth) || Self.contains(word, Self.authentication) {
            return true
        }
        if word.hasSuffix("auth"), index + 1 < words.count,
            Self.afterAuth.contains(where: words[index + 1].elementsEqual)
        {
            return true
        }
        return Self.authCompounds.contains(where: word.hasSuffix)
            || isLast && follows(Self.beforeAuth, Self.auth, index)
    }

    /// Whether `stem` ends the word and is the whole name, apart from `x-` and an index, or follows
    /// one of `owners`.
    private func isLogin(_ stem: [UInt8], _ index: Int) -> Bool {
        words[index].elementsEqual(stem) && isFirst(index)
            || follows(Self.owners, stem, index)
    }

    private func isFirst(_ index: Int) -> Bool {
        let before = text[..<words[index].startIndex]
        return before.allSatisfy(\.isJoint)
            || before.count == 2 && before.starts(with: "x".utf8) && text[1].isJoint
    }

    /// Whether `stem` ends the word at `index`, and one of `others` is before it, in this word or
    /// at the end of the last one; two letters must be a whole word.
    private func follows(_ others: [[UInt8]], _ stem: [UInt8], _ index: Int) -> Bool {
        guard words[index].hasSuffix(stem) else { return false }
        var before = words[index].dropLast(stem.count)
        if before.isEmpty, index > 0 { before = words[index - 1] }
        return others.contains { $0.count > 2 ? before.hasSuffix($0) : before.elementsEqual($0) }
    }

    /// Whether the name is `token`, which a contract stores, or an index of it.
    private var isOnlyToken: Bool {
        endsWithIndex && words.count == 1 && text.starts(with: "token".utf8)
    }

    /// `secret`, but not `secretary`.
    private static func hasSecret(_ word: ArraySlice<UInt8>) -> Bool {
        var start = 0
        while let place = word.span.index(of: secret, from: start, to: word.count) {
            start = place + secret.count
            guard let next = word.dropFirst(start).first, "aeil".utf8.contains(next) else {
                return true
            }
        }
        return false
    }

    private static func contains(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        text.span.contains(word)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
        self.suffix(suffix.count) == suffix[...]
    }

    fileprivate func hasSuffix(_ suffix: String) -> Bool {
        self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}

extension UInt8 {
    /// Whether this joins the words of a name.
    fileprivate var isJoint: Bool {
        switch self {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "/"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
