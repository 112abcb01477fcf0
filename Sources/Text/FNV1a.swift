// The hash function FNV-1a (draft-eastlake-fnv-33): fast for short text, and the same in every run,
// so it can be stored.
//
// Left out: resistance to forged collisions, for which swift-crypto has HMAC.

/// The 64-bit FNV-1a hash of the bytes that were added so far.
package struct FNV1a: Sendable, Hashable {
    package var value: UInt64

    /// The hash of no bytes.
    @inlinable
    package init() { value = 0xCBF2_9CE4_8422_2325 }

    /// The hash of `bytes`, in O(bytes).
    ///
    /// Of an array, because a generic function is slow in other modules: this is each page's tag.
    package init(_ bytes: [UInt8]) {
        self.init()
        for byte in bytes { add(byte) }
    }

    /// Adds a byte.
    @inlinable
    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
