// A condition on records: what `q` and the simple parameters mean.
// Invariant: a comparison with an absent value is false, and so `not` of it is true. Left out: how
// it is written (`Condition+Description`), read (`QueryParser`) and evaluated (`Matcher`).

/// A condition on records.
package indirect enum Condition: Sendable, Hashable {
    /// Every one of these holds; an empty list is every record.
    case all([Condition])
    /// One of these holds at least; an empty list is no record.
    case any([Condition])
    /// This does not hold.
    case not(Condition)
    /// The record's value stands so to this one.
    case compare(QueryField, Relation, QueryValue)
    /// The record has a value there.
    case has(QueryField)
    /// These folded words follow each other; the last may be the beginning of a word.
    case words([String], lastIsPrefix: Bool)
}
