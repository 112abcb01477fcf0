// `a|b/c`: the branches as written, and the order in which they are tried.

/// Several sequences of which one is taken.
struct PathAlternative: Sendable, Equatable {
    /// The branches in the order of the text; none is empty.
    let branches: [[PathElement]]

    /// Indices of `branches`, longest first, equally long ones as written.
    ///
    /// (Deeper's documentation says left first; its code takes the longest. Otherwise a branch that
    /// is a prefix of a longer one would hide it.)
    let attempts: [Int]

    /// Makes an alternative.
    init(_ branches: [[PathElement]]) {
        self.branches = branches
        let counts = branches.map(\.longestCount)
        attempts = branches.indices.sorted { left, right in
            (counts[right], left) < (counts[left], right)
        }
    }
}
