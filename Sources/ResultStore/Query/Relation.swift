// The relations of comparisons.

/// The relation of a record's value to the wanted value.
package enum Relation: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether `found` has this relation to `wanted`.
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
