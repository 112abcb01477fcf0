// How well the decoder could read a message; unlike `Outcome`, which the vendor reports. Invariant:
// a raw value never changes, because records and queries contain it.

/// How well a message could be decoded.
public enum Verdict: String, CaseIterable, Sendable {
    /// Everything follows the contract.
    case decoded
    /// There is a value, and at least one warning or error about a part of the message.
    case decodedWithWarnings = "decoded_with_warnings"
    /// Nothing could be decoded; a diagnostic names the layer and the byte.
    case undecodable
    /// No contract applies.
    case unmatched
}
