// The names of credentials, compared without making strings.
//
// A name is packed into 16 bytes, letter case, `_` and `-` left out, so that `apiKey`, `API_KEY`
// and `api-key` are one name and a comparison is two integers. No credential's name is longer.

/// A parameter or member name as it is compared with the names of credentials.
struct CredentialName: Equatable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Whether the name has grown longer than any credential's.
    private(set) var isTooLong = false

    /// Adds the next byte of the name.
    mutating func append(_ byte: UInt8) {
        if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return }
        if high >> 56 != 0 { isTooLong = true }
        let isUpper = byte &- UInt8(ascii: "A") < 26
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(isUpper ? byte | 0x20 : byte)
    }

    /// Whether values of this name must never reach the disk.
    var isCredential: Bool {
        !isTooLong && Self.credentials.contains(self)
    }

    private init(_ name: String) {
        for byte in name.utf8 { append(byte) }
    }

    /// Creates an empty name.
    init() {}

    /// Ailet sends `login` and `password` in its links; the others are what partners add.
    private static let credentials = [
        "login", "password", "userpassword", "passwd", "apikey", "accesstoken", "refreshtoken",
        "clientsecret", "secret", "authorization",
    ].map(CredentialName.init)
}
