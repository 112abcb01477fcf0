// The value of a declared field. Left out: arrays and objects, which no query compares.

/// A record's value in a declared field of its result.
package enum FieldValue: Sendable, Hashable {
    case number(Double)
    case text(String)
    case flag(Bool)
}
