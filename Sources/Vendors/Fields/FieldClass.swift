// The sensitivity of a field, which decides how its values are stored and shown. Left out: the
// replacements; see `Masking` and `Redaction`.

/// The sensitivity of a field's values.
public enum FieldClass: String, CaseIterable, Sendable {
    /// A body measurement; masked if the configuration says `privacy: mask`.
    case health
    /// A value that grants access; hidden wherever results are listed.
    ///
    /// These fields are stored, because the link that they open is the result. A value named like a
    /// password or key is never stored, whatever a contract says: see `Redaction`.
    case credential
    /// A person's location; masked like health.
    case location
    /// Names, addresses and numbers that identify a person, a device or a thing.
    case identifier
    /// Not about a person.
    case plain

    /// Whether `privacy: mask` replaces the values.
    public var isMasked: Bool { self == .health || self == .location }
}
