// Limits on the cost of one callback.
//
// Invariant: a message that exceeds a limit is decoded up to it, and a diagnostic reports it.

import JSON

/// The limits of the callback decoder.
public enum Limits {
    /// Maximum parameters of one callback; vendors send a dozen.
    public static let maximumParameters = 256

    /// Initial capacity for parameters: as many as a vendor sends.
    static let usualParameters = 16

    /// Maximum diagnostics of one decoding, including the note about those left out.
    public static let maximumDiagnostics = 64

    /// Maximum bytes of a peer's text that a diagnostic repeats.
    public static let maximumExcerptBytes = 48

    /// Maximum characters of the line that says in lists what a callback brought.
    public static let maximumSummaryCharacters = 120

    /// Maximum bytes of what went into or came out of a layer that the road of decoding shows.
    public static let maximumLayerBytes = 4096

    /// Maximum bytes on each side of a fault that the road of decoding shows.
    public static let maximumContextBytes = 40

    /// Maximum bytes of a JSON token that are marked as wrong.
    static let maximumMarkedBytes = 64

    /// Bytes of a text that are searched for credentials before a diagnostic repeats its start.
    static let maximumSearchedExcerptBytes = 4096

    /// Maximum layers of escapes that redaction removes.
    ///
    /// Percent-encoding is one, and so is a JSON string that contains JSON. A vendor's callback has
    /// one; a link inside a report makes three.
    public static let maximumUnescapedLayers = 3

    /// Maximum depth of a payload: a record holds it a few levels deeper.
    static let maximumPayloadDepth = JSON.Limits.maximumDepth - 8

    /// How often the same Base64 is decoded, from different places on, before it is hidden.
    static let maximumBase64Starts = 3

    /// How many digits of Base64 are decoded to see whether it encodes text: 96 bytes.
    static let base64TextDigits = 128

    /// How often a text is searched again after a match.
    static let maximumRedactions = 4

    /// Bytes before a separator in which redaction searches for a name.
    static let maximumNameBytes = 96

    /// Maximum bytes between a `name` in one parameter and its `value` in another.
    static let maximumPairDistance = 256

    /// Maximum bytes of a multipart boundary with its two hyphens (RFC 2046 §5.1.1 allows 70).
    static let maximumBoundaryBytes = 128

    /// Maximum bytes of the fields of one part of a multipart form.
    static let maximumPartFieldBytes = 8192

    /// Maximum multipart forms around a part that is searched; deeper ones are hidden as a whole.
    static let maximumForms = 3

    /// Maximum places outside the contract that drift keeps: new ones, and partners' own.
    public static let maximumNewPaths = 256

    /// Maximum types or values that drift counts separately at one place.
    public static let maximumFoundTexts = 16

    /// Maximum layers that are removed from a payload although the contract doesn't have them, such
    /// as a second Base64.
    static let maximumExtraLayers = 3

    /// Maximum distinct unknown members that are reported; all of them are kept.
    static let maximumUnknownMembers = 24

    /// Maximum repetitions of members that are kept in addition to the ones that are used.
    static let maximumRepeatedMembers = 64

    /// Maximum values of a payload that get a normal form in addition to the original.
    static let maximumNormalizedValues = 10_000

    /// Bytes of normal forms after which no more are added: their pointers repeat names of the
    /// message.
    static let maximumNormalizedBytes = 1_048_576
}
