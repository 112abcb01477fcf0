// The types of a field's values on the wire; a contract may allow several.

/// A set of JSON types; a parameter's text has the type that it reads as.
public struct WireTypes: OptionSet, Sendable, Hashable {
    /// One bit for each type.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Any string.
    public static let string = WireTypes(rawValue: 1)
    /// Any number, integers included.
    public static let number = WireTypes(rawValue: 2)
    /// A number without fraction and exponent.
    public static let integer = WireTypes(rawValue: 4)
    /// `true` or `false`.
    public static let boolean = WireTypes(rawValue: 8)
    /// Members.
    public static let object = WireTypes(rawValue: 16)
    /// Elements.
    public static let array = WireTypes(rawValue: 32)
    /// `null`.
    public static let null = WireTypes(rawValue: 64)
    /// A string that contains only a number.
    public static let numberText = WireTypes(rawValue: 128)

    /// The names of the types, in a fixed order.
    public var names: [String] {
        let all: [(WireTypes, String)] = [
            (.string, "string"), (.number, "number"), (.integer, "integer"),
            (.boolean, "boolean"), (.object, "object"), (.array, "array"), (.null, "null"),
            (.numberText, "number as text"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
