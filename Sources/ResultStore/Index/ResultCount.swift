// Counts of results by facet.

/// The number of records of one kind, vendor, contract, outcome, verdict and method.
package struct ResultCount: Sendable, Equatable {
    package let kind: RecordKind
    package let vendor: String
    package let contract: String?
    package let outcome: String?
    package let verdict: String
    package let method: String
    package let count: Int
}
