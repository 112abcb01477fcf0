// Limits for one JSON text.
//
// Invariant: every limit has a unit and is checked before memory is allocated for it.

/// The limits of the JSON parser.
public enum Limits {
    /// Maximum nesting of arrays and objects, in levels; the root array or object is level 1.
    ///
    /// RFC 8259 §9 allows a parser to limit the depth of nesting.
    public static let maximumDepth = 512

    /// Maximum length of one JSON text, in bytes.
    ///
    /// The tape stores offsets in 32 bits, so that an entry takes 16 bytes.
    public static let maximumDocumentBytes = 0xFFFF_FFFF
}
