// How a comparison compares.

/// How a record's value stands to the value that is asked for.
package enum Relation: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether `found` stands so to `wanted`.
    func holds<Value: Comparable>(_ found: Value, _ wanted: Value) -> Bool {
        switch self {
        case .equal: found == wanted
        case .less: found < wanted
        case .lessOrEqual: found <= wanted
        case .greater: found > wanted
        case .greaterOrEqual: found >= wanted
        }
    }
}
