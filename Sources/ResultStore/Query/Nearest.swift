// What a misspelt name may have meant.

/// The nearest of some known names.
package enum Nearest {
    /// The candidate that the fewest changes make of a name; nil when each needs more than a third
    /// of the name's letters.
    ///
    /// Case and `_` don't count. Names longer than 64 bytes have none. O(candidates · length²).
    package static func name(to name: String, of candidates: [String]) -> String? {
        let wanted = letters(of: name)
        guard (1...64).contains(wanted.count) else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(wanted, letters(of: candidate))
            if distance <= max(1, wanted.count / 3), distance < best?.distance ?? Int.max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    private static func letters(of name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }
    }

    /// Levenshtein's distance, with neighbours swapped as one change.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for (row, octet) in left.enumerated() {
            let above = rows[row]
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    above[column] + (octet == other ? 0 : 1), above[column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, octet == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
