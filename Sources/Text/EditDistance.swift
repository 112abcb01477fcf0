// The distance between two words. The caller decides which distance counts as a typing error.

/// The edit distance of two words.
package enum EditDistance {
    /// The number of letters to insert, delete or change; nil if that is more than `limit`.
    ///
    /// Swapping two neighbours is one change (optimal string alignment).
    ///
    /// - Complexity: O(letters of one · letters of the other), or O(1) for words whose lengths differ
    ///   by more than the limit.
    package static func between<Letter: Equatable>(
        _ left: [Letter], _ right: [Letter], atMost limit: Int
    ) -> Int? {
        if abs(left.count - right.count) > limit { return nil }
        var before: [Int] = []
        var above = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var best = min(
                    above[column] + (letter == other ? 0 : 1), above[column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = above
            above = current
        }
        return above[right.count] <= limit ? above[right.count] : nil
    }
}
