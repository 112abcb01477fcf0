// Strict percent-decoding (RFC 3986 §2.1): text is either decoded as a whole or refused.
// Left out: `+` for a space, which belongs to forms and not to URLs.

extension String {
    /// Decodes the percent-encoded UTF-8 in `bytes`.
    ///
    /// - Returns: nil for a `%` without two hexadecimal digits, for what isn't UTF-8, and for
    ///   U+0000, which would end the text early in C.
    /// - Complexity: O(*n*) in the bytes.
    init?(percentDecoding bytes: ArraySlice<UInt8>) {
        var hasTriplets = false
        for byte in bytes {
            if byte == 0 { return nil }
            if byte == UInt8(ascii: "%") { hasTriplets = true }
        }
        guard hasTriplets else {
            self.init(strictUTF8: bytes)
            return
        }
        guard let decoded = Self.decodingTriplets(in: bytes) else { return nil }
        self.init(strictUTF8: decoded[...])
    }

    private static func decodingTriplets(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue,
                let low = rest.popFirst()?.hexadecimalValue, high | low != 0
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Decoding repairs what isn't UTF-8, so repaired text differs from its bytes. (The standard
    /// library's validating initialiser would ask for newer systems than this target does.)
    private init?(strictUTF8 bytes: ArraySlice<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard bytes.allSatisfy({ $0 < 0x80 }) || utf8.elementsEqual(bytes) else { return nil }
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit in either case; nil for anything else.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
