// Weights in lists of preferences such as Accept and Accept-Encoding. Left out: what becomes of a
// member whose weight is invalid, which each list decides.

import Text

/// A `qvalue` (RFC 9110 §12.4.2).
package enum QualityValue {
    /// The weight in thousandths, from 0 to 1000; nil if the text is invalid.
    package static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
        guard let whole = text.first, whole == 0x30 || whole == 0x31 else { return nil }
        let fraction = text.dropFirst(2)
        guard text.count == 1 || text.dropFirst().first == UInt8(ascii: "."),
            fraction.count <= 3, fraction.allSatisfy(\.isDigit)
        else { return nil }
        let thousandths = zip(fraction, [100, 10, 1]).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        if whole == 0x30 { return thousandths }
        return thousandths == 0 ? 1000 : nil
    }
}
