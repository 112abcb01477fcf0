// Where to cut an input, and which of a few settings to read it with. They follow from the input, so
// that one that breaks a rule breaks it again, and files of a corpus hold nothing but input.

/// A sequence of numbers that an input decides.
struct Choices {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in the whole input (FNV-1a).
    ///
    /// O(bytes).
    init(_ bytes: [UInt8]) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// A number from 0 to `bound - 1`.
    mutating func below(_ bound: Int) -> Int {
        state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
        return Int(state >> 33) % max(bound, 1)
    }

    /// One of them; there must be some.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Two places to cut at, the first not behind the second.
    mutating func cuts(of bytes: [UInt8]) -> [Int] {
        [below(bytes.count + 1), below(bytes.count + 1)].sorted()
    }
}
