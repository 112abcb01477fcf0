// The names of a contract's parameters, laid out to be compared with those of every message.
// Invariant: at most 64 names, so that a set of them fits into one integer.

/// A list of names by which parameters are known.
struct NameTable: Sendable {
    /// The names as text; a name's place in here is its key.
    let names: [String]

    /// The keys of the names that a usual message has: without one of them, slips are looked for.
    let usualKeys: UInt64

    private let text: [UInt8]
    private let places: [Range<Int>]

    /// Creates a table; the first `usual` names are those of a usual message.
    init(_ names: [String], usual: Int) {
        var text: [UInt8] = []
        places = names.prefix(64).map { name in
            let start = text.count
            text.append(contentsOf: name.utf8)
            return start..<text.count
        }
        self.names = Array(names.prefix(64))
        self.text = text
        usualKeys = usual < 1 ? 0 : .max >> UInt64(64 - min(usual, 64))
    }

    /// The key of the name that stands at `range` of `bytes`; nil when it is none of these.
    func key(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        let (text, bytes) = (text.span, bytes.span)
        for key in places.indices where places[key].count == range.count {
            let start = places[key].lowerBound
            var length = 0
            while length < range.count, text[start + length] == bytes[range.lowerBound + length] {
                length += 1
            }
            if length == range.count { return key }
        }
        return nil
    }
}
