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

        /// The same edit in a longer text.
        func moved(by offset: Int) -> Edit {
            Edit(range: range.lowerBound + offset..<range.upperBound + offset, text: text)
        }
    }

    let text: [UInt8]
    let sought: Sought

    /// The number of layers of escapes removed.
    let depth: Int

    /// The number of multipart forms around the text in the same layer.
    let forms: Int

    /// The values found so far, in any order.
    var edits: [Edit] = []

    // MARK: State of a search in text that is not JSON

    /// Whether the text is a request target, in which `#` ends a value.
    var isTarget = false

    /// Whether the text begins like JSON or markup, in which a quotation mark ends a pair's value.
    var isMarkup = false

    /// Whether a question mark, or the `#` of a fragment, has been passed.
    var isInQuery = false

    /// The start of the text that has still to be searched after decoding.
    var pieceStart = 0

    /// The end of the range in which a `value` belongs to a credential that an earlier `name`
    /// names.
    var namedUntil = 0

    /// Whether the next element's content belongs to a credential that the last element named.
    var isElementNamed = false

    /// Whether only this layer is searched: what is in escapes is left to another search.
    var leavesEscapes = false

    /// Remaining attempts to parse a value as JSON.
    var attempts = 16

    var look = SecretLook()

    /// The end of the last Base64 that was decoded, and how often a place in it was tried.
    var (encodedEnd, encodedTries) = (0, 0)

    /// The end of the last Base64 with spaces and padding in it, and whether escapes continue it.
    var run = (end: 0, goesOn: false)

    // MARK: Search

    /// Finds the values in `text`, in O(length) for each depth.
    static func edits(
        in text: [UInt8], for sought: Sought, depth: Int = 0, forms: Int = 0
    ) -> [Edit] {
        var redactor = Redactor(text: text, sought: sought, depth: depth, forms: forms)
        if beginsLikeJSON(text[...]), let document = try? JSONDocument(parsing: text) {
            redactor.search(document)
        } else if !redactor.searchParts() {
            redactor.searchText()
        }
        return redactor.ordered
    }

    /// Finds the values in a request target or URL.
    static func edits(inTarget text: [UInt8], for sought: Sought) -> [Edit] {
        var redactor = Redactor(text: text, sought: sought, depth: 0, forms: 0)
        redactor.isTarget = true
        redactor.searchText()
        return redactor.ordered
    }

    private init(text: [UInt8], sought: Sought, depth: Int, forms: Int) {
        self.text = text
        self.sought = sought
        self.depth = depth
        self.forms = forms
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

    static func beginsLikeJSON(_ text: ArraySlice<UInt8>) -> Bool {
        switch text.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): true
        default: false
        }
    }

    /// Finds the values that cross one of the borders, which are in ascending order; each piece
    /// between two borders is searched separately.
    mutating func searchAcross(_ borders: [Int]) {
        var whole = Redactor(text: text, sought: sought, depth: depth, forms: forms)
        whole.leavesEscapes = true
        whole.attempts = 0
        whole.searchText()
        var next = 0
        for edit in whole.ordered {
            while next < borders.count, borders[next] <= edit.range.lowerBound { next += 1 }
            if next < borders.count, borders[next] < edit.range.upperBound { edits.append(edit) }
        }
    }

    // MARK: Layers

    var canUnescape: Bool { depth < Limits.maximumUnescapedLayers }

    /// Searches `range` as a text of its own, without escapes.
    mutating func searchAlone(_ range: Range<Int>, inForm: Bool = false) {
        guard sought.mayBe(in: text, range) else { return }
        if inForm, forms == Limits.maximumForms {
            return replace(range, of: 0, isJSON: false)
        }
        let found = Self.edits(
            in: Array(text[range]), for: sought, depth: depth, forms: forms + (inForm ? 1 : 0))
        edits += found.map { $0.moved(by: range.lowerBound) }
    }

    /// Decodes and searches `range`.
    mutating func search(_ range: Range<Int>, in layer: DecodedText.Layer) {
        guard canUnescape, sought.mayBe(in: text, range) else { return }
        let decoded = DecodedText(text, range, from: layer)
        guard sought.mayBe(in: decoded.bytes, decoded.bytes.indices) else { return }
        edits += Self.edits(in: decoded.bytes, for: sought, depth: depth + 1).map(decoded.escaped)
    }

    /// Adds an edit, unless the value is already replaced.
    mutating func replace(_ range: Range<Int>, of name: Int, isJSON: Bool) {
        let value = text[range]
        let new = sought.replacement(name, value, isJSON)
        if value.first == UInt8(ascii: "%"), value.elementsEqual(PercentEncoding.encode(new)) {
            return
        }
        if let mark = sought.mark, value.elementsEqual(mark) { return }
        replace(range, by: new)
    }

    /// Adds an edit, unless the mark is already there.
    mutating func replace(_ range: Range<Int>, by mark: [UInt8]) {
        if !text[range].elementsEqual(mark) { edits.append(Edit(range: range, text: mark)) }
    }
}
