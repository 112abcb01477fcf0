// Reproducible random numbers for invented values: the same seed gives the same values on every
// platform and with every version of the standard library, whose own methods don't guarantee that.
// Not secure; nothing drawn here is a secret.

import Text

/// The generator SplitMix64.
///
/// G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64 {
    private var state: UInt64

    /// Starts a sequence, which depends on the seed only.
    init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// A number in `range`; slightly biased, which doesn't matter here.
    mutating func integer(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
        let distance = width == 0 ? next() : next() % width
        return range.lowerBound &+ Int(truncatingIfNeeded: distance)
    }

    /// A decimal number in `range` divided by `scale`: `decimal(in: 50...90, by: 100)` is 0.5 to
    /// 0.9.
    mutating func decimal(in range: ClosedRange<Int>, by scale: Int) -> Double {
        Double(integer(in: range)) / Double(max(scale, 1))
    }

    /// `count` lower-case hexadecimal digits.
    mutating func hexadecimal(_ count: Int) -> String {
        var text: [UInt8] = []
        for _ in 0..<max(count, 0) { text.append(Hexadecimal.digit(UInt8(next() >> 60))) }
        return String(decoding: text, as: UTF8.self)
    }

    /// A random UUID in lower case (RFC 9562 §5.4).
    mutating func uuid() -> String {
        let variant = ["8", "9", "a", "b"][integer(in: 0...3)]
        return hexadecimal(8) + "-" + hexadecimal(4) + "-4" + hexadecimal(3) + "-" + variant
            + hexadecimal(3) + "-" + hexadecimal(12)
    }
}
