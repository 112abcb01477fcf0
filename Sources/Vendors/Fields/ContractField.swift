// One field of a contract on the wire: its place, its allowed values, its sensitivity. Data only:
// drift compares messages with it, masking and hiding take the names of sensitive fields from it.

/// A parameter of a callback, or a member of the JSON that it carries.
public struct ContractField: Sendable, Hashable {
    /// When a field is present.
    public enum Presence: Sendable, Hashable {
        /// Whenever its parent object is.
        case always
        /// Whenever its parent object is, in messages with this outcome.
        case with(Outcome)
        /// Not promised.
        case optional
    }

    /// Names from the root of the message; `*` is every element of an array, or every member of an
    /// object whose names are values, such as ids of photos.
    ///
    /// A payload is below the parameter that carries it, even if it arrived as the body.
    public let path: [String]

    /// The types that the contract allows.
    public let types: WireTypes

    /// The sensitivity of its values.
    public let fieldClass: FieldClass

    /// When it is present.
    public let presence: Presence

    /// The values that the contract lists; empty if it lists none.
    public let values: [String]

    /// The range of its numbers; nil without bounds.
    public let range: ClosedRange<Double>?

    /// Whether members or elements below it are known to exist, but not which.
    public let isOpen: Bool

    /// Whether decoders also accept numbers written as text or booleans (vendor document 3.3:
    /// price, price type and code).
    public let isLenient: Bool

    /// Whether its texts are dates with a time (RFC 3339).
    public let isDateTime: Bool

    /// Creates a field; `path` is its names separated by dots.
    init(
        _ path: String, _ types: WireTypes, _ fieldClass: FieldClass = .plain,
        _ presence: Presence = .optional, values: [String] = [],
        range: ClosedRange<Double>? = nil, isOpen: Bool = false,
        isLenient: Bool = false, isDateTime: Bool = false
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.types = types
        self.fieldClass = fieldClass
        self.presence = presence
        self.values = values
        self.range = range
        self.isOpen = isOpen
        self.isLenient = isLenient
        self.isDateTime = isDateTime
    }
}
