// Names of messages that are nearly those of a contract: in another letter case, with other word
// separators, or with a slip of the finger.
//
// Invariant: a name that only differs in case and separators is meant; a slip is only ever hinted
// at. Slips are looked for in names up to a length, so that a long one costs nothing.

import AppLinks
import Text

extension Spelling {
    /// The longest name that is compared, in bytes; no contract has a longer one.
    private static let maximumLength = 40

    /// Whether both are the same without letter case, `_` and `-`.
    static func isVariant(_ name: ArraySlice<UInt8>, of right: String) -> Bool {
        // Asked about every name that the contract doesn't have, so without making texts.
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

    /// The one of `names` that `name` differs from by little; nil when there is none.
    static func nearest(to name: ArraySlice<UInt8>, of names: [String]) -> String? {
        guard name.count <= maximumLength else { return nil }
        return nearest(to: String(decoding: name, as: UTF8.self), among: names)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
