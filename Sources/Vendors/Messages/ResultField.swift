// A member of decoded values that queries may name. Each vendor declares its own
// (`VendorContract`); fields of one name are of one kind, whichever vendors declare them.

/// A member of decoded values that queries may name.
public struct ResultField: Sendable, Hashable {
    /// What the values are.
    public enum Kind: String, Sendable {
        case number
        case text
        case flag
    }

    /// The name by which it is asked for: the member's own, or its path with dots.
    public let name: String

    /// What the values are.
    public let kind: Kind

    /// Whether single values are asked for among many: ids, and the first of the measurements.
    public let isKey: Bool

    /// Where it stands, as members from the root of the value, or elements from 0; the first path
    /// that exists counts.
    public let paths: [[String]]

    init(_ name: String, _ kind: Kind, isKey: Bool = false, _ paths: [String]...) {
        self.name = name
        self.kind = kind
        self.isKey = isKey
        self.paths = paths.isEmpty ? [name.split(separator: ".").map(String.init)] : paths
    }
}
