// Values that many records share: kind, vendor, contract, outcome, verdict and method.
//
// The number of facets is small, whatever peers send. A query is decided first for each facet and
// only then for records, so a query that no facet can match reads no record.

/// One combination of the values that most queries filter by.
struct Facet: Sendable, Hashable {
    let kind: RecordKind
    let vendor: String
    let contract: String?
    let outcome: String?
    let verdict: String
    let method: String
}

extension Facet {
    init(_ facts: RecordFacts) {
        kind = facts.kind
        vendor = facts.vendor
        contract = facts.contract
        outcome = facts.outcome
        verdict = facts.verdict
        method = facts.method
    }
}

/// A facet and the number of its records.
struct FacetSummary: Sendable, Equatable {
    let id: Int64
    let facet: Facet
    /// Number of records with this facet.
    var count: Int
}
