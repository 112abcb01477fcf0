// Percent-encoding (RFC 3986 §2.1). Left out: decoding that maps offsets back to the source, which
// `Vendors` has; `+` for a space, which belongs to forms.

/// Percent-encoded bytes.
package enum PercentEncoding {
    /// The byte encoded as `%XX` at `index`; nil if there is none before `end`.
    @inlinable
    package static func octet(_ text: Span<UInt8>, at index: Int, end: Int) -> UInt8? {
        guard end - index >= 3, text[index] == UInt8(ascii: "%"),
            let high = text[index + 1].hexadecimalValue, let low = text[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }

    /// Encodes every byte except unreserved ones, so that the text is the same in a path, a query
    /// and a form.
    ///
    /// - Parameter allowed: additional bytes that stay unencoded.
    /// - Complexity: O(bytes).
    package static func encode(
        _ text: some Sequence<UInt8>, besides allowed: String = ""
    ) -> [UInt8] {
        var encoded: [UInt8] = []
        for byte in text {
            if byte.isUnreserved || allowed.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [
                    UInt8(ascii: "%"), Hexadecimal.uppercaseDigit(byte >> 4),
                    Hexadecimal.uppercaseDigit(byte & 0xF),
                ]
            }
        }
        return encoded
    }

    /// Encodes every byte that a query may not have (RFC 3986 §3.4); a `%` stays as it is.
    ///
    /// - Complexity: O(bytes).
    package static func encodeQuery(_ text: ArraySlice<UInt8>) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case 0x21, 0x24...0x3B, 0x3D, 0x3F...0x5A, 0x5F, 0x61...0x7A, 0x7E:
                encoded.append(byte)
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded.append(Hexadecimal.uppercaseDigit(byte >> 4))
                encoded.append(Hexadecimal.uppercaseDigit(byte & 0xF))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes bytes; a `%` without two hexadecimal digits stays as it is.
    ///
    /// - Complexity: O(bytes).
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let octet = octet(text.span, at: index, end: text.count)
            decoded.append(octet ?? text[index])
            index += octet == nil ? 1 : 3
        }
        return decoded
    }
}

extension String {
    /// The text's UTF-8 percent-encoded, except letters, digits and `-._~`.
    package var percentEncoded: String {
        if utf8.allSatisfy(\.isUnreserved) { return self }
        return String(decoding: PercentEncoding.encode(utf8), as: UTF8.self)
    }

    /// Decodes percent-encoded UTF-8, all of it or nothing.
    ///
    /// Returns nil for a `%` without two hexadecimal digits, for invalid UTF-8, and for U+0000,
    /// which would end the text early in C.
    ///
    /// - Complexity: O(bytes).
    package init?(percentDecoding bytes: ArraySlice<UInt8>) {
        guard bytes.contains(UInt8(ascii: "%")) else {
            if bytes.contains(0) { return nil }
            self.init(strictUTF8: bytes)
            return
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst()?.hexadecimalValue,
                    let low = rest.popFirst()?.hexadecimalValue
                else { return nil }
                byte = high << 4 | low
            }
            if byte == 0 { return nil }
            decoded.append(byte)
        }
        self.init(strictUTF8: decoded[...])
    }

    /// Decoding repairs invalid UTF-8, so repaired text differs from its bytes. (The standard
    /// library's validating initialiser needs newer systems than `LinkPatterns` does.)
    private init?(strictUTF8 bytes: ArraySlice<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard bytes.allSatisfy({ $0 < 0x80 }) || utf8.elementsEqual(bytes) else { return nil }
    }
}
