// The numbers that bound what one JSON text may cost.
//
// Invariant: every limit has a unit and is checked before anything is allocated on its account.

/// The limits of the JSON reader.
public enum Limits {
    /// How deep arrays and objects may nest, in levels; the root array or object is level 1.
    ///
    /// RFC 8259 §9 lets a parser limit the depth of nesting.
    public static let maximumDepth = 512

    /// How long one JSON text may be, in bytes.
    ///
    /// The tape stores offsets in 32 bits, so that an entry takes 16 bytes.
    public static let maximumDocumentBytes = 0xFFFF_FFFF
}
