// Octet classes and comparisons of RFC 9110 §5.6 and RFC 3986 §2, on bytes instead of text.

import Text

/// A set of ASCII octets, as two bit masks; a test costs one shift.
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
        let mask = octet & 64 == 0 ? low : high
        return octet < 128 && mask &>> UInt64(octet) & 1 == 1
    }

    /// Where members end that begin at `start`; `end` if all up to there are members.
    @inline(__always)
    func end(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        let part = bytes.extracting(start..<end)
        var index = 0
        while index < part.count, contains(part[index]) { index += 1 }
        return start + index
    }

    private static let alphanumerics =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// `tchar` of RFC 9110 §5.6.2.
    static let token = OctetSet(alphanumerics + "!#$%&'*+-.^_`|~")

    /// Octets of a path, including `/` and `%` (RFC 3986 §3.3).
    static let path = OctetSet(alphanumerics + "-._~!$&'()*+,;=:@/%")

    /// Octets of a query: RFC 3986 §3.4, and those that Foundation and browsers are known to leave
    /// unescaped.
    ///
    /// So a callback isn't lost because its vendor escapes too little.
    static let query = OctetSet(alphanumerics + "-._~!$&'()*+,;=:@/%?[]\"<>\\^`{|}")

    /// Octets of a registered name or an IPv4 address (RFC 3986 §3.2.2).
    static let registeredName = OctetSet(alphanumerics + "-._~!$&'()*+,;=%")

    /// Octets after the dot of an IPvFuture address (RFC 3986 §3.2.2).
    static let futureAddress = OctetSet(alphanumerics + ":.-_~!$&'()*+,;=")
}

extension Collection where Element == UInt8 {
    /// Whether the octets equal `other`, which is lowercase ASCII, ignoring case.
    @inlinable
    package func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var place = other.startIndex
        for octet in self {
            guard octet.lowercased == other[place] else { return false }
            other.formIndex(after: &place)
        }
        return true
    }
}
