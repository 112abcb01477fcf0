// The numbers that bound what one callback may cost.
//
// Invariant: a message that goes past a limit is decoded up to it, and a diagnostic says so.

/// The limits of the callback decoder.
public enum Limits {
    /// How many parameters of one callback are looked at; vendors send a dozen.
    public static let maximumParameters = 256

    /// How many diagnostics one decoding carries, the note about those left out included.
    public static let maximumDiagnostics = 64

    /// How much of a peer's text a diagnostic repeats, in bytes.
    public static let maximumExcerptBytes = 48
}
