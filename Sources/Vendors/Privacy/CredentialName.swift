// The names of credentials, compared without making strings.
//
// A name is packed into 16 bytes, letter case, `_` and `-` left out, so that `apiKey`, `API_KEY`
// and `api-key` are one name and a comparison is two integers. No credential's name is longer.

/// A parameter or member name as it is compared with the names of credentials.
struct CredentialName: Equatable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Whether the name has grown longer than any credential's; then its last 16 bytes are packed.
    private var isTooLong = false

    /// Adds the next byte of the name.
    mutating func append(_ byte: UInt8) {
        if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return }
        if high >> 56 != 0 { isTooLong = true }
        let isUpper = byte &- UInt8(ascii: "A") < 26
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(isUpper ? byte | 0x20 : byte)
    }

    /// Whether the text in `range` ends with the plain letters of one of `names`.
    ///
    /// Says nothing about where the name begins, so that it is cheap: O(length of a name), and
    /// two comparisons for most texts.
    static func ends(
        _ text: Span<UInt8>, _ range: Range<Int>, with names: [CredentialName]
    ) -> Bool {
        var index = range.upperBound
        guard let last = letter(before: &index, in: text, from: range.lowerBound),
            let other = letter(before: &index, in: text, from: range.lowerBound)
        else { return false }
        guard mayEnd(other, last) else { return false }
        var suffix = CredentialName()
        (suffix.low, suffix.high) = (UInt64(other) << 8 | UInt64(last), 0)
        for count in 2..<16 {
            if names.contains(suffix) { return true }
            guard let next = letter(before: &index, in: text, from: range.lowerBound) else {
                return false
            }
            if count < 8 {
                suffix.low |= UInt64(next) << UInt64(count * 8)
            } else {
                suffix.high |= UInt64(next) << UInt64(count * 8 - 64)
            }
        }
        return names.contains(suffix)
    }

    /// Whether a name that is sought at a glance may end with these two letters in lower case: one of
    /// `credentials`, or of the fields that contracts call so.
    @inline(__always)
    static func mayEnd(_ other: UInt8, _ last: UInt8) -> Bool {
        switch (other, last) {
        case (UInt8(ascii: "i"), UInt8(ascii: "n")),  // login
            (UInt8(ascii: "r"), UInt8(ascii: "d")),  // password
            (UInt8(ascii: "w"), UInt8(ascii: "d")),  // passwd, pwd
            (UInt8(ascii: "s"), UInt8(ascii: "s")),  // pass
            (UInt8(ascii: "s"), UInt8(ascii: "e")),  // passphrase
            (UInt8(ascii: "e"), UInt8(ascii: "y")),  // API key
            (UInt8(ascii: "e"), UInt8(ascii: "n")),  // token
            (UInt8(ascii: "e"), UInt8(ascii: "t")),  // secret
            (UInt8(ascii: "o"), UInt8(ascii: "n")):  // authorization
            true
        default: false
        }
    }

    /// The letter before `index`, in lower case; nil when another character stands there.
    private static func letter(
        before index: inout Int, in text: Span<UInt8>, from start: Int
    ) -> UInt8? {
        while index > start {
            index -= 1
            let byte = text[index]
            if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
            return (byte | 0x20) &- UInt8(ascii: "a") < 26 ? byte | 0x20 : nil
        }
        return nil
    }

    /// Packs a name; of one that is too long, its end.
    init(_ name: String) {
        for byte in name.utf8 { append(byte) }
    }

    /// Creates an empty name.
    init() {}

    /// What must never reach the disk.
    ///
    /// Ailet sends `login` and `password` in its links, which partners misspell; the others are what
    /// partners add.
    static let credentials = listed.map(CredentialName.init)

    /// Their names as people write them.
    static let listed = [
        "login", "password", "userpassword", "passwd", "pasword", "pass", "pwd", "passphrase",
        "apikey", "accesstoken", "refreshtoken",
        "clientsecret", "secret", "authorization",
    ]
}
