// Which pairs of neighbouring bytes a text may have, in 256 bits: what lacks a pair of a literal
// doesn't hold the literal.

/// A set of pairs of bytes that forgets which of several pairs it had.
struct BytePairs: Sendable {
    private var bits = SIMD4<UInt64>.zero

    /// Adds all pairs of neighbours in `text`, in O(length).
    mutating func insert(_ text: Span<UInt8>) {
        var index = 1
        while index < text.count {
            // Wraps on purpose: pairs that differ little are to be far apart.
            let place = text[index - 1] &* 31 &+ text[index]
            bits[Int(place >> 6)] |= 1 << UInt64(place & 63)
            index += 1
        }
    }

    var isEmpty: Bool { bits == .zero }

    /// Whether every pair of it may be in `other`.
    func mayBeSubset(of other: BytePairs) -> Bool {
        bits & ~other.bits == .zero
    }
}
