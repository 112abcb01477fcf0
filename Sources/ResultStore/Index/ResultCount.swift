// How many results have something in common.

/// The number of results of one vendor, contract, outcome, verdict and method.
package struct ResultCount: Sendable, Equatable {
    package let vendor: String
    package let contract: String?
    package let outcome: String?
    package let verdict: String
    package let method: String
    package let count: Int
}
