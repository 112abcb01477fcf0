// Finds values in a text of unknown format. JSON is parsed by its own reader; any other text is
// read as pairs, markup and form parts, and its escapes are decoded and searched again.
//
// Invariant: only whole values are replaced, so that valid JSON stays valid; edits ascend and don't
// overlap. Left out: text with more than `Limits.maximumUnescapedLayers` layers of escapes.

import JSON
import Text

/// A search for values in one text, at one depth of escapes.
struct Redactor {
    /// A value to replace.
    struct Edit {
        let range: Range<Int>
        let text: [UInt8]
    }

    let text: [UInt8]
    let sought: Sought

    /// The number of layers of escapes removed.
    let depth: Int

    /// The values found so far, in any order.
    var edits: [Edit] = []

    /// What the search has learned so far in a text that is not JSON.
    var state = PairState()

    /// Finds the values in `text`, in O(length) for each depth.
    static func edits(in text: [UInt8], for sought: Sought, depth: Int = 0) -> [Edit] {
        var redactor = Redactor(text: text, sought: sought, depth: depth)
        if let document = redactor.document {
            redactor.search(document)
        } else if !redactor.searchParts() {
            redactor.searchPairs(isTarget: false, from: 0)
        }
        return redactor.ordered
    }

    /// Finds the values in a request target or URL from `start` on.
    static func edits(inTarget text: [UInt8], for sought: Sought, from start: Int) -> [Edit] {
        var redactor = Redactor(text: text, sought: sought, depth: 0)
        redactor.searchPairs(isTarget: true, from: start)
        return redactor.ordered
    }

    private init(text: [UInt8], sought: Sought, depth: Int) {
        self.text = text
        self.sought = sought
        self.depth = depth
    }

    /// The edits in order; overlapping edits are merged into the first.
    private var ordered: [Edit] {
        var ordered: [Edit] = []
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard let last = ordered.last,
                edit.range.lowerBound < last.range.upperBound || edit.range == last.range
            else {
                ordered.append(edit)
                continue
            }
            if edit.range.upperBound > last.range.upperBound {
                ordered[ordered.count - 1] = Edit(
                    range: last.range.lowerBound..<edit.range.upperBound, text: last.text)
            }
        }
        return ordered
    }

    /// The text as JSON; nil if it is not JSON.
    private var document: JSONDocument? {
        guard Self.beginsLikeJSON(text[...]) else { return nil }
        return try? JSONDocument(parsing: text)
    }

    static func beginsLikeJSON(_ text: ArraySlice<UInt8>) -> Bool {
        for byte in text where byte > 0x20 {
            return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                || byte == UInt8(ascii: "\"")
        }
        return false
    }

    // MARK: Layers

    var canUnescape: Bool { depth < Limits.maximumUnescapedLayers }

    /// Searches `range` as a separate text without escapes.
    mutating func searchAlone(_ range: Range<Int>) {
        guard sought.mayBe(in: text, range) else { return }
        for edit in Self.edits(in: Array(text[range]), for: sought, depth: depth) {
            let start = range.lowerBound
            edits.append(
                Edit(
                    range: start + edit.range.lowerBound..<start + edit.range.upperBound,
                    text: edit.text))
        }
    }

    /// Decodes and searches `range`.
    mutating func search(_ range: Range<Int>, in layer: DecodedText.Layer) {
        guard canUnescape, sought.mayBe(in: text, range) else { return }
        let decoded = DecodedText(text, range, from: layer)
        guard sought.mayBe(in: decoded.bytes, decoded.bytes.indices) else { return }
        for edit in Self.edits(in: decoded.bytes, for: sought, depth: depth + 1) {
            edits.append(decoded.escaped(edit))
        }
    }

    /// Adds an edit, unless the value is already replaced.
    mutating func replace(_ range: Range<Int>, of name: Int, isJSON: Bool) {
        let value = text[range]
        let new = sought.replacement(name, value, isJSON)
        if value.elementsEqual(new) || Self.isEncoded(new, value) { return }
        if let mark = sought.mark, value.elementsEqual(mark) { return }
        edits.append(Edit(range: range, text: new))
    }

    /// Adds an edit, unless the mark is already there.
    mutating func replace(_ range: Range<Int>, by mark: [UInt8]) {
        if !text[range].elementsEqual(mark) { edits.append(Edit(range: range, text: mark)) }
    }

    private static func isEncoded(_ new: [UInt8], _ value: ArraySlice<UInt8>) -> Bool {
        value.first == UInt8(ascii: "%") && value.elementsEqual(PercentEncoding.encode(new))
    }
}
