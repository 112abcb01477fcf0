// The names of a contract's parameters, arranged for fast comparison with those of every message.
// Invariant: at most 64 names, so that a set of them fits into one integer.

/// A list of parameter names.
struct NameTable: Sendable {
    /// The names as text; the index of a name is its key.
    let names: [String]

    /// The keys of the names in a usual message: if one is missing, mistakes are searched for.
    let usualKeys: UInt64

    /// The names that may come first among the vendor's parameters.
    ///
    /// A later one counts only in a message that has none of the earlier ones.
    let openers: [String]

    private let text: [UInt8]
    private let places: [Range<Int>]

    /// Creates a table; the first `usual` names are those of a usual message.
    init(_ names: [String], usual: Int, openers: [String] = []) {
        var text: [UInt8] = []
        places = names.prefix(64).map { name in
            let start = text.count
            text.append(contentsOf: name.utf8)
            return start..<text.count
        }
        self.names = Array(names.prefix(64))
        self.text = text
        self.openers = openers
        usualKeys = usual < 1 ? 0 : .max >> UInt64(64 - min(usual, 64))
    }

    /// The key of the name at `range` of `bytes`; nil if it is not in the table.
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
