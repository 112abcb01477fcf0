// The types in which a field's values travel, where a contract allows more than one.

/// A set of the types of JSON; what travels as a parameter's text has the type that it reads as.
public struct WireTypes: OptionSet, Sendable, Hashable {
    /// One bit a type.
    public let rawValue: UInt8

    /// Creates a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Text, or whatever is in quotation marks.
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
    /// A string that holds a number's text and nothing else.
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
