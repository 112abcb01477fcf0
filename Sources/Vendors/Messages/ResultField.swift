// A member of decoded values that queries may name. Each vendor declares its own
// (`VendorContract`).
//
// Invariant: fields of one name have the same kind for all vendors that declare them.

/// A member of decoded values that queries may name.
public struct ResultField: Sendable, Hashable {
    /// The type of the values.
    public enum Kind: String, Sendable {
        case number
        case text
        case flag
    }

    /// The name in queries: the member's own, or its path separated by dots.
    public let name: String

    /// The type of the values.
    public let kind: Kind

    /// Whether queries select single values among many: ids, and the first of the measurements.
    public let isKey: Bool

    /// The paths to the member, as names from the root of the value, or indices from 0; the first
    /// path that exists is used.
    public let paths: [[String]]

    init(_ name: String, _ kind: Kind, isKey: Bool = false, _ paths: [String]...) {
        self.name = name
        self.kind = kind
        self.isKey = isKey
        self.paths = paths.isEmpty ? [name.split(separator: ".").map(String.init)] : paths
    }
}
