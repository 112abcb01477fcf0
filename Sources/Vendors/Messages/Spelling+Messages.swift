// Finds names in messages that resemble those of a contract: in another letter case, with other
// word separators, or misspelled.
//
// Invariant: a name that differs only in case and separators is accepted; a misspelling only gives
// a hint. Misspellings are searched for in names up to a length, so that a long one costs nothing.

import Text

extension Spelling {
    /// The maximum length that is compared, in bytes; no contract has a longer name.
    private static let maximumLength = 40

    /// Whether both are equal apart from letter case, `_` and `-`.
    static func isVariant(_ name: ArraySlice<UInt8>, of right: String) -> Bool {
        // Runs for every name that the contract doesn't have, so it allocates no strings.
        var letters = right.utf8.makeIterator()
        for byte in name where !isSeparator(byte) {
            var letter = letters.next()
            while let separator = letter, isSeparator(separator) { letter = letters.next() }
            guard let letter, letter.lowercased == byte.lowercased else { return false }
        }
        while let rest = letters.next() {
            if !isSeparator(rest) { return false }
        }
        return true
    }

    /// The one of `names` that is similar to `name`; nil if absent.
    static func nearest(to name: ArraySlice<UInt8>, of names: [String]) -> String? {
        guard name.count <= maximumLength else { return nil }
        return nearest(to: String(decoding: name, as: UTF8.self), among: names)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
