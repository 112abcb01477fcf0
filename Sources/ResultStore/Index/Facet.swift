// What many records have in common: kind, vendor, contract, outcome, verdict and method.
//
// There are never many facets, whatever peers send, so a query is first decided for each of them, and only then for records:
// what no facet can match is answered without looking at one.

/// One combination of the values that most queries ask for.
struct Facet: Sendable, Hashable {
    let kind: RecordKind
    let vendor: String
    let contract: String?
    let outcome: String?
    let verdict: String
    let method: String

    init(_ facts: RecordFacts) {
        kind = facts.kind
        vendor = facts.vendor
        contract = facts.contract
        outcome = facts.outcome
        verdict = facts.verdict
        method = facts.method
    }

    init(
        kind: RecordKind, vendor: String, contract: String?, outcome: String?, verdict: String,
        method: String
    ) {
        self.kind = kind
        self.vendor = vendor
        self.contract = contract
        self.outcome = outcome
        self.verdict = verdict
        self.method = method
    }
}

/// A facet with what is known of its records.
struct FacetSummary: Sendable, Equatable {
    let id: Int64
    let facet: Facet
    /// Records that have it.
    var count: Int
}
