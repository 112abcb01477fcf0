// What was followed, by number and id. After a failover to a standby that lacks the last records, the
// same numbers belong to others; the ids show where the two histories diverge.
//
// Invariant: memory is bounded. The newest records are all remembered, older ones the more sparsely
// the older they are.

import ResultStore

/// Records that were followed, with increasing numbers.
struct Trail: Sendable {
    private var steps: [(sequence: Int, id: RecordID)] = []
    /// The number up to which records were noted, or need not be.
    private(set) var through = 0

    var sequences: [Int] { steps.map(\.sequence) }

    /// Notes a record.
    ///
    /// O(1) for the newest one, else O(steps).
    mutating func note(_ sequence: Int, _ id: RecordID) {
        let before = steps.lastIndex { $0.sequence < sequence }
        let index = before.map { $0 + 1 } ?? 0
        guard index == steps.count || steps[index].sequence != sequence else { return }
        steps.insert((sequence, id), at: index)
        if steps.count > Limits.rememberedSteps { thin() }
    }

    /// Notes that everything up to a number has been noted.
    mutating func advance(to sequence: Int) { through = max(through, sequence) }

    /// Forgets what came after a number.
    mutating func retreat(to sequence: Int) {
        steps.removeAll { $0.sequence > sequence }
        through = min(through, sequence)
    }

    /// The number up to which a database has what was followed; nil if nothing shows that it lacks
    /// any of it.
    ///
    /// A number without a record shows nothing: that record may have been erased. The true number may
    /// be higher, because not all records are remembered.
    ///
    /// - Parameters:
    ///   - found: the records that the database has with the numbers in `sequences`.
    ///   - head: the number of its last record or erasure.
    func common(with found: [Int: RecordID], head: Int) -> Int? {
        let lost = steps.firstIndex { step in
            step.sequence > head || found[step.sequence].map { $0 != step.id } == true
        }
        guard let lost else { return nil }
        let kept = steps[..<lost].last { found[$0.sequence] == $0.id }
        return min(kept?.sequence ?? steps[0].sequence - 1, head)
    }

    /// Forgets every other step of the older half, but not the oldest one.
    private mutating func thin() {
        let half = steps.count / 2
        let older = steps[..<half].enumerated().filter { $0.offset.isMultiple(of: 2) }
        steps = older.map(\.element) + steps[half...]
    }
}
