// The numbers that bound what one callback may cost.
//
// Invariant: a message that goes past a limit is decoded up to it, and a diagnostic says so.

/// The limits of the callback decoder.
public enum Limits {
    /// How many parameters of one callback are looked at; vendors send a dozen.
    public static let maximumParameters = 256

    /// For how many parameters there is room from the start: as many as a vendor sends.
    static let usualParameters = 16

    /// How many diagnostics one decoding carries, the note about those left out included.
    public static let maximumDiagnostics = 64

    /// How much of a peer's text a diagnostic repeats, in bytes.
    public static let maximumExcerptBytes = 48

    /// How much of a text is searched for credentials before a diagnostic repeats its start, in bytes.
    static let maximumSearchedExcerptBytes = 4096

    /// How many layers of escapes redaction takes off.
    ///
    /// Percent-encoding is one, and so is a JSON string that holds JSON. A vendor's callback has one;
    /// a link inside of a report makes it three.
    public static let maximumUnescapedLayers = 3

    /// How often a text is searched again after something was found in it.
    static let maximumRedactions = 4

    /// How far before a sign redaction looks for a name, in bytes.
    static let maximumNameBytes = 96

    /// How many bytes may stand between a `name` in one parameter and its `value` in another.
    static let maximumPairDistance = 256

    /// How long the boundary of a multipart body may be, its two hyphens included (RFC 2046 §5.1.1: 70).
    static let maximumBoundaryBytes = 128

    /// How many places that a contract doesn't know drift keeps apart.
    public static let maximumNewPaths = 256

    /// How many types or values drift counts apart at one place.
    public static let maximumFoundTexts = 16

    /// How many layers that a contract doesn't have are taken off a payload, such as a second Base64.
    static let maximumExtraLayers = 3

    /// How many distinct members that no contract knows are told of; all of them are kept.
    static let maximumUnknownMembers = 24

    /// How many repetitions of members are kept beside the ones that count.
    static let maximumRepeatedMembers = 64

    /// How many values of a payload get a normal form beside what was written.
    static let maximumNormalizedValues = 10_000

    /// After how many bytes of them no more are added: their pointers repeat names of the message.
    static let maximumNormalizedBytes = 1_048_576
}
