// A condition on records: the meaning of `q` and of the simple parameters.
// Invariant: a comparison with an absent value is false, so its `not` is true. Left out: how it is
// written (`Condition+Description`), parsed (`QueryParser`), compared (`Condition+Equality`) and
// evaluated (`Matcher`).

/// A condition on records.
package indirect enum Condition: Sendable {
    /// All of these are true; an empty list matches every record.
    case all([Condition])
    /// At least one of these is true; an empty list matches no record.
    case any([Condition])
    /// The condition is false.
    case not(Condition)
    /// The record's value has this relation to the given value.
    case compare(QueryField, Relation, QueryValue)
    /// The record has a value in this field.
    case has(QueryField)
    /// These folded words follow each other; the last may be the prefix of a word.
    case words([String], lastIsPrefix: Bool)
}
