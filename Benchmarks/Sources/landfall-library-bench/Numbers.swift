// Numbers that look random and are the same in every run and on every machine.

/// A sequence of numbers (SplitMix64).
struct Numbers {
    private var state: UInt64 = 1

    /// A number from 0 to `bound - 1`.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ word >> 31) >> 33) % max(bound, 1)
    }

    /// One of them; there must be some.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
