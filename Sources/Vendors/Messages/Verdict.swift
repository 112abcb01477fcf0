// What the decoder says of a message; not to be confused with `Outcome`, which is the vendor's
// word. Invariant: a raw value never changes, since records and queries hold it.

/// How well a message could be decoded.
public enum Verdict: String, CaseIterable, Sendable {
    /// Everything follows the contract.
    case decoded
    /// There is a value, and at least one warning or error about a part of the message.
    case decodedWithWarnings = "decoded_with_warnings"
    /// Nothing could be decoded; a diagnostic says at which layer and byte.
    case undecodable
    /// No contract applies.
    case unmatched
}
