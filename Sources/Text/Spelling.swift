// Suggestions for misspelled names.

/// Finds similar names.
package enum Spelling {
    /// The name that was probably meant; nil if none is similar.
    ///
    /// Ignores case. Up to two wrong letters are accepted in a word of five letters or more, one in
    /// a shorter one. A word of more than 256 bytes has no suggestion.
    ///
    /// - Complexity: O(letters of the word and of all names), because few wrong letters are accepted.
    package static func nearest(to word: String, among names: [String]) -> String? {
        // A name isn't so long that a word of this length could be one.
        guard word.utf8.count <= 256 else { return nil }
        let letters = Array(word.lowercased().unicodeScalars)
        let allowed = letters.count >= 5 ? 2 : letters.count >= 3 ? 1 : 0
        var best: (name: String, distance: Int)?
        for name in names where name != word {
            let length = name.unicodeScalars.count
            let limit = length >= 5 ? allowed : min(allowed, 1)
            // Most names are of another length.
            guard abs(length - letters.count) <= limit,
                let distance = EditDistance.between(
                    letters, Array(name.lowercased().unicodeScalars), atMost: limit),
                distance < best?.distance ?? .max
            else { continue }
            best = (name, distance)
        }
        return best?.name
    }
}
