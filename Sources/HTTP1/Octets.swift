// Octet classes and comparisons of RFC 9110 §5.6 and RFC 3986 §2, on bytes: text comes last.

/// A set of ASCII octets, as two bit masks: a test costs a shift.
struct OctetSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ members: String) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for octet in members.utf8 {
            if octet < 64 {
                low |= 1 << UInt64(octet)
            } else if octet < 128 {
                high |= 1 << UInt64(octet - 64)
            }
        }
        self.low = low
        self.high = high
    }

    @inline(__always)
    func contains(_ octet: UInt8) -> Bool {
        if octet < 64 { return low >> UInt64(octet) & 1 == 1 }
        if octet < 128 { return high >> UInt64(octet - 64) & 1 == 1 }
        return false
    }

    private static let alphanumerics =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// `tchar` of RFC 9110 §5.6.2.
    static let token = OctetSet(alphanumerics + "!#$%&'*+-.^_`|~")

    /// What a path may hold, `/` and `%` included (RFC 3986 §3.3).
    static let path = OctetSet(alphanumerics + "-._~!$&'()*+,;=:@/%")

    /// What a query may hold: RFC 3986 §3.4, and what Foundation and browsers are known to leave
    /// unescaped in one.
    ///
    /// A callback is never lost because its vendor escapes too little.
    static let query = OctetSet(alphanumerics + "-._~!$&'()*+,;=:@/%?[]\"<>\\^`{|}")

    /// What a registered name or an IPv4 address may hold (RFC 3986 §3.2.2).
    static let registeredName = OctetSet(alphanumerics + "-._~!$&'()*+,;=%")

    /// What stands behind the dot of an IPvFuture address (RFC 3986 §3.2.2).
    static let futureAddress = OctetSet(alphanumerics + ":.-_~!$&'()*+,;=")
}

extension UInt8 {
    /// The octet with ASCII capitals made small.
    @inline(__always)
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// Whether this is `0` to `9`.
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// 0 to 15, or nil when this is not an ASCII hexadecimal digit.
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// SP or HTAB (`OWS` of RFC 9110 §5.6.3).
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension Collection where Element == UInt8 {
    /// Whether the octets spell `other`, which is lower-case ASCII, in any letter case.
    func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.lowercased == $1 }
    }
}
