// What a field says about people, and so what may be done with its values.
// Left out: what masking and hiding put in their place; see `Masking` and `Redaction`.

/// How delicate the values of a field are.
public enum FieldClass: String, CaseIterable, Sendable {
    /// A measurement of somebody's body; masked where the configuration says `privacy: mask`.
    case health
    /// Whoever knows the value may enter or look; hidden wherever results are listed.
    ///
    /// These fields are stored, since the link that they open is the result. What is called like a
    /// password or a key is never stored, whatever a contract says: see `Redaction`.
    case credential
    /// Where somebody was; masked as health is.
    case location
    /// Names, addresses and numbers by which a person, a device or a thing is found again.
    case identifier
    /// Nothing about anybody.
    case plain

    /// Whether `privacy: mask` replaces the values.
    public var isMasked: Bool { self == .health || self == .location }
}
