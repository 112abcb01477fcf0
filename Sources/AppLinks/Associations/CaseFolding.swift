// The case folding of `caseSensitive: false`: one character to one character, so the number of
// characters stays the same. Left out: full folding, in which "ß" equals "ss".

/// Simple case folding.
enum CaseFolding {
    /// UTF-8 in which letters that differ only in case become equal, in O(length).
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(folded) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            output.append(contentsOf: UTF8.encode(folded(scalar)).map(Array.init) ?? [])
        }
        return output
    }

    static func folded(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Through uppercase, because "ς" and "σ" share it. "ı" and "i" share it too, but the
        // dotless letter is a distinct one (Unicode, CaseFolding.txt).
        if scalar == "\u{131}" { return scalar }
        let upper = only(scalar.properties.uppercaseMapping) ?? scalar
        return only(upper.properties.lowercaseMapping) ?? upper
    }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
