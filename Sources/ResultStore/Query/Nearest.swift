// What a misspelt name may have meant.

import Text

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
            let distance = EditDistance.between(wanted, letters(of: candidate))
            if distance <= max(1, wanted.count / 3), distance < best?.distance ?? Int.max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    private static func letters(of name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }
    }
}
