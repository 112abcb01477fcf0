// The erasures of one scope together: retention may add one a minute for years.
//
// Invariant: of the erasures of the oldest records, only those are kept that reach further than all
// later ones.

import Clocks

/// The erasures of an inbox, of strays or of everything.
struct ErasedBounds: Sendable {
    /// The last number that an erasure in the order of numbers covers.
    private var number = 0
    /// The other erasures, with their numbers: each reaches less far than the one before.
    private var oldest: [(sequence: Int, through: Erasure.Bound)] = []

    /// Adds an erasure with a number, in any order.
    mutating func add(_ bound: Erasure.Bound, by sequence: Int) {
        guard let moment = bound.receivedAt else {
            number = max(number, min(bound.sequence, sequence - 1))
            return
        }
        let end = oldest.firstIndex { $0.sequence > sequence } ?? oldest.endIndex
        if end < oldest.endIndex,
            oldest[end].through.covers(receivedAt: moment, bound.sequence)
        {
            return
        }
        let start = oldest[..<end].firstIndex { _, through in
            through.receivedAt.map { bound.covers(receivedAt: $0, through.sequence) } ?? true
        }
        oldest.replaceSubrange((start ?? end)..<end, with: [(sequence: sequence, through: bound)])
    }

    /// Whether they cover a record.
    ///
    /// - Parameters:
    ///   - moment: when it was received; nil if that is unknown.
    ///   - sequence: its number; 0 if that is unknown, which is less than any that was erased.
    ///
    /// O(erasures that are kept), nearly always one.
    func cover(receivedAt moment: Timestamp?, _ sequence: Int) -> Bool {
        if number > 0, sequence <= number { return true }
        guard let moment, let next = oldest.first(where: { $0.sequence > sequence }) else {
            return false
        }
        return next.through.covers(receivedAt: moment, sequence)
    }
}
