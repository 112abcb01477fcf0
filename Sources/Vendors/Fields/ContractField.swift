// One field of a contract as it travels: where it stands, what may stand there, how delicate it is.
// Data only: drift compares messages with it, masking and hiding take the delicate names from it.

/// A parameter of a callback, or a member of the JSON that it carries.
public struct ContractField: Sendable, Hashable {
    /// When a field is there.
    public enum Presence: Sendable, Hashable {
        /// Wherever the object is that holds it.
        case always
        /// Wherever that object is, in messages of this outcome.
        case with(Outcome)
        /// Nobody promises it.
        case optional
    }

    /// Names from the root of the message; `*` is every element of an array, or every member of an
    /// object whose names are values, such as the ids of photos.
    ///
    /// A payload stands below the parameter that carries it, also where it came as the body.
    public let path: [String]

    /// The types that the contract allows.
    public let types: WireTypes

    /// How delicate its values are.
    public let fieldClass: FieldClass

    /// When it is there.
    public let presence: Presence

    /// The values that the contract lists; empty where it lists none.
    public let values: [String]

    /// What its numbers lie in; nil without bounds.
    public let range: ClosedRange<Double>?

    /// Whether members and elements below it are known to exist and nobody knows which.
    public let isOpen: Bool

    /// Whether decoders take numbers that are written as text or booleans too (vendor document 3.3:
    /// price, price type and code).
    public let isLenient: Bool

    /// Creates a field; `path` has dots between its names.
    init(
        _ path: String, _ types: WireTypes, _ fieldClass: FieldClass = .plain,
        _ presence: Presence = .optional, values: [String] = [],
        range: ClosedRange<Double>? = nil, isOpen: Bool = false,
        isLenient: Bool = false
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.types = types
        self.fieldClass = fieldClass
        self.presence = presence
        self.values = values
        self.range = range
        self.isOpen = isOpen
        self.isLenient = isLenient
    }
}
