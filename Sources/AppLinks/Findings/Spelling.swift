// Names that were nearly written right.

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
            let distance = distance(letters, Array(name.lowercased().unicodeScalars))
            let limit = name.unicodeScalars.count >= 5 ? allowed : min(allowed, 1)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How many letters are to be changed, added or removed (Levenshtein); two that are exchanged
    /// count as two.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if abs(left.count - right.count) > 2 { return .max }
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let changed = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
