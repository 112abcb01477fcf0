// `a|b/c`: branches as they were written, and the order in which they are tried.

/// Several sequences of which one is taken.
struct PathAlternative: Sendable, Equatable {
    /// The branches in the order of the text; none is empty.
    let branches: [[PathElement]]

    /// Indices of `branches`, the longest first and equally long ones as written. (Deeper's text
    /// says left first; its code takes the longest, without which a branch that begins like a
    /// longer one would hide it.)
    let attempts: [Int]

    /// An alternative of `branches`.
    init(_ branches: [[PathElement]]) {
        self.branches = branches
        let counts = branches.map(\.longestCount)
        attempts = branches.indices.sorted { left, right in
            (counts[right], left) < (counts[left], right)
        }
    }
}
