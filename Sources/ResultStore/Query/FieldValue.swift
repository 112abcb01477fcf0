// The value of a declared field. Left out: lists and objects, which no query compares.

/// What a record holds in a declared field of its result.
package enum FieldValue: Sendable, Hashable {
    case number(Double)
    case text(String)
    case flag(Bool)
}
