// One thing that is measured, and its figures.
//
// Invariant: a name never changes, so that budgets and figures of another day can refer to it.

/// The figures of one measurement.
struct Row: Encodable {
    /// Who does the same otherwise.
    struct Peer: Encodable {
        let name: String
        let figure: Double
    }

    /// The name by which budgets know it.
    let name: String

    /// What is done, for people.
    let what: String

    let unit: String

    /// The median of the rounds.
    let figure: Double

    let peer: Peer?
}
