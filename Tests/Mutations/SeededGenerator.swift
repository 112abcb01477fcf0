// Repeatable randomness for tests with hostile input, so that a failing mutation fails again.
// Left out: shrinking; the messages are short enough to read.

/// SplitMix64: small, fast and the same on every platform.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts a sequence; the same seed gives the same one.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// One to three changes: a flipped bit, a cut, a doubled piece, swapped bytes, a hostile byte,
    /// and a piece of another message where one is given.
    package mutating func mutation(of original: [UInt8], with other: [UInt8] = []) -> [UInt8] {
        var bytes = original
        for _ in 0..<below(3) + 1 where !bytes.isEmpty {
            let index = below(bytes.count)
            let end = min(index + below(8), bytes.count)
            switch below(other.isEmpty ? 6 : 7) {
            case 0: bytes[index] ^= 1 << UInt8(below(8))
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
            case 3: bytes.swapAt(index, below(bytes.count))
            case 4: bytes.removeSubrange(index...)
            case 5: bytes[index] = Self.hostile[below(Self.hostile.count)]
            default:
                bytes.replaceSubrange(index..<end, with: other.dropFirst(below(other.count + 1)))
            }
        }
        return bytes
    }

    /// A number from 0 to `bound - 1`; slightly uneven, which does no harm here.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() >> 33) % max(bound, 1)
    }

    /// Bytes that mean something in HTTP, in URLs, in JSON or in UTF-8.
    private static let hostile =
        Array("\r\n\t {}[]\",:\\%+=&#?;/-.0eux*@".utf8) + [0, 0x7F, 0x80, 0xED, 0xFF]
}
