// Repeatable randomness, so that a failing mutation fails again.
// Left out: shrinking; messages are short enough to read.

/// SplitMix64: small, fast and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// One to three changes: a flipped bit, a cut, a doubled piece, swapped bytes, a hostile byte.
    mutating func mutation(of original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            let end = Int.random(in: index...min(index + 8, bytes.count), using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
            case 3: bytes.swapAt(index, Int.random(in: bytes.indices, using: &self))
            case 4: bytes.removeSubrange(index...)
            default: bytes[index] = Self.hostile.randomElement(using: &self) ?? 0
            }
        }
        return bytes
    }

    private static let hostile =
        Array("{}[]\",:\\%+=&#?;/-.0eu \n".utf8) + [0, 0x7F, 0x80, 0xED, 0xFF]
}
