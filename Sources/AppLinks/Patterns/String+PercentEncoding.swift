// Percent-encoding for one part of a URL (RFC 3986 §2.1): only unreserved characters stay, so that the
// text means the same in a path, in a query, and to readers of forms.

extension String {
    /// The text with every octet of its UTF-8 escaped but letters, digits and `-._~`.
    ///
    /// - Complexity: O(*n*) in the bytes.
    var percentEncoded: String {
        if utf8.allSatisfy(\.isUnreserved) { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether this is an unreserved character (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
