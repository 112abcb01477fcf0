// Suggestions for misspelled names.

/// Finds similar names.
package enum Spelling {
    /// The name that was probably meant; nil if none is similar.
    ///
    /// Ignores case. Up to two wrong letters are accepted in a word of five letters or more, one in
    /// a shorter one.
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
