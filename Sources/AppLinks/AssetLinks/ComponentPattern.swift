// The wildcards of dynamic rules: `*` and `?` over UTF-8, and nothing else. Left out: features of
// Apple's patterns: variables, normalised paths, ignoring case.

/// A pattern of one part of a link.
struct ComponentPattern {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether all of `text` matches.
    ///
    /// O(pattern · text): only the last `*` is retried, because the text before it was matched as
    /// early as possible.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        var (index, place) = (0, text.startIndex)
        var retry: (index: Int, place: Int)?
        while place < text.endIndex {
            if index < bytes.count, bytes[index] == UInt8(ascii: "*") {
                index += 1
                retry = (index, place)
            } else if index < bytes.count, bytes[index] == UInt8(ascii: "?") {
                index += 1
                place = Self.end(ofCharacterAt: place, in: text)
            } else if index < bytes.count, bytes[index] == text[place] {
                index += 1
                place += 1
            } else if let last = retry {
                let next = Self.end(ofCharacterAt: last.place, in: text)
                retry = (last.index, next)
                (index, place) = (last.index, next)
            } else {
                return false
            }
        }
        return bytes[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func end(ofCharacterAt place: Int, in text: ArraySlice<UInt8>) -> Int {
        var end = place + 1
        while end < text.endIndex, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
