// Names that were nearly written right.

import Text

/// Words that look alike.
package enum Spelling {
    /// The name that was probably meant; nil when none is near.
    ///
    /// Equal but for case, or up to two letters wrong in a word of five and more, one in a shorter
    /// one.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars)
        let allowed = letters.count >= 5 ? 2 : letters.count >= 3 ? 1 : 0
        var best: (name: String, distance: Int)?
        for name in names where name != word {
            let distance = EditDistance.between(
                letters, Array(name.lowercased().unicodeScalars))
            let limit = name.unicodeScalars.count >= 5 ? allowed : min(allowed, 1)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }
}
