// Compares secrets with what clients sent.

extension [UInt8] {
    /// Whether the bytes are equal, in a time that depends only on their number.
    ///
    /// A comparison that stops at the first difference would let a client find a secret byte by
    /// byte. The secret's length isn't hidden.
    package func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
