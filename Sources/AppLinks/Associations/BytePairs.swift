// The pairs of adjacent bytes in a text, in 256 bits. A text that lacks a pair of a literal doesn't
// contain the literal.

/// A set of byte pairs that may report a pair it doesn't contain, but never misses one.
struct BytePairs: Sendable {
    private var bits = SIMD4<UInt64>.zero

    init() {}

    /// The pairs of `text`.
    init(of text: Span<UInt8>) {
        insert(text)
    }

    /// Adds all pairs of adjacent bytes in `text`, in O(length).
    mutating func insert(_ text: Span<UInt8>) {
        var index = 1
        while index < text.count {
            // The overflow is intended: similar pairs should get distant positions.
            let place = text[index - 1] &* 31 &+ text[index]
            bits[Int(place >> 6)] |= 1 << UInt64(place & 63)
            index += 1
        }
    }

    var isEmpty: Bool { bits == .zero }

    /// Whether every pair of it may be in `other`.
    func mayBeSubset(of other: BytePairs) -> Bool {
        bits & ~other.bits == .zero
    }
}

extension WildcardPattern {
    /// The pairs within its literal texts, which every matching text contains.
    var literalPairs: BytePairs {
        var pairs = BytePairs()
        for case .literal(let text) in elements { pairs.insert(text.span) }
        return pairs
    }

    /// A matching text without unnecessary characters; nil if there is none, or if the value of a
    /// variable would have to be chosen.
    ///
    /// - Parameters:
    ///   - isPath: whether it must begin with a slash.
    ///   - folds: whether it will be compared with a folded pattern.
    func witness(isPath: Bool, folds: Bool) -> [UInt8]? {
        if fault != nil { return nil }
        var text: [UInt8] = []
        // A control character is in no pattern that matches a URL.
        let other: UInt8 = 0x01
        for (index, element) in elements.enumerated() {
            switch element {
            case .literal(let bytes): text += bytes
            case .anyCharacter: text.append(other)
            case .anyText: text += index == 0 && isPath ? [UInt8(ascii: "/"), other] : [other]
            case .oneOf, .code, .value: return nil
            }
        }
        return folds ? CaseFolding.folded(text[...]) : text
    }
}
