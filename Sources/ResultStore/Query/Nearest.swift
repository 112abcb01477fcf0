// Suggestions for misspelled names.

import Text

/// Finds the nearest of some known names.
package enum Nearest {
    /// The candidate that needs the fewest edits; nil if each needs more than a third of the name's
    /// letters.
    ///
    /// Ignores case and `_`. Names longer than 64 bytes get no suggestion. O(candidates · length²).
    package static func name(to name: String, of candidates: [String]) -> String? {
        let wanted = letters(of: name)
        guard (1...64).contains(wanted.count) else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = EditDistance.between(
                wanted, letters(of: candidate), atMost: max(1, wanted.count / 3))
            if let distance, distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.name
    }

    private static func letters(of name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }
    }
}
