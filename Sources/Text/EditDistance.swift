// The distance between two words. The caller decides which distance counts as a typing error.

/// The edit distance of two words.
package enum EditDistance {
    /// The number of letters to insert, delete or change; nil if that is more than `limit`.
    ///
    /// Swapping two neighbours is one change (optimal string alignment).
    ///
    /// - Complexity: O(letters of the first word · limit), or O(1) for words whose lengths differ by
    ///   more than the limit.
    package static func between<Letter: Equatable>(
        _ left: [Letter], _ right: [Letter], atMost limit: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        // No distance is more than the longer word has letters.
        let reach = min(limit, max(left.count, right.count))
        let beyond = reach + 1
        // A distance within the limit uses only columns that are at most `reach` away from the row,
        // so a row keeps these, each at column - row + beyond, and one more on either side. Cells
        // that are not in the table count as too far.
        let outside = [Int](repeating: beyond, count: 2 * beyond + 1)
        var before = outside
        var above = outside
        for column in 0...min(reach, right.count) { above[column + beyond] = column }
        for (index, letter) in left.enumerated() {
            let row = index + 1
            var current = outside
            var least = beyond
            for column in max(0, row - reach)...min(row + reach, right.count) {
                let cell = column - row + beyond
                var best = min(above[cell + 1], current[cell - 1]) + 1
                if column > 0 {
                    let other = right[column - 1]
                    best = min(best, above[cell] + (letter == other ? 0 : 1))
                    if row > 1, column > 1, letter == right[column - 2], left[row - 2] == other {
                        best = min(best, before[cell] + 1)
                    }
                }
                current[cell] = min(best, beyond)
                least = min(least, best)
            }
            // A swap that skips this row costs at least as much as one of its cells.
            if least > reach { return nil }
            before = above
            above = current
        }
        let distance = above[right.count - left.count + beyond]
        return distance <= reach ? distance : nil
    }
}
