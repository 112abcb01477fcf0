// The case folding of `caseSensitive: false`: one character to one character, so that lengths in
// characters stay. Left out: full folding, in which "ß" equals "ss".

/// Simple case folding.
enum CaseFolding {
    /// UTF-8 in which letters that differ only in case are equal, in O(length).
    ///
    /// Bytes that aren't UTF-8 become U+FFFD.
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
        // By way of upper case, as "ς" and "σ" have the same one. So have "ı" and "i", and yet the
        // dotless letter is one of its own (Unicode, CaseFolding.txt).
        if scalar == "\u{131}" { return scalar }
        let upper = only(scalar.properties.uppercaseMapping) ?? scalar
        return only(upper.properties.lowercaseMapping) ?? upper
    }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
