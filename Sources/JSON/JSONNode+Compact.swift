// A node's text without the whitespace between tokens, for embedding in one line.
//
// Invariant: the result has no line breaks. Strings contain none (the parser rejects raw control
// characters), and everything between strings is copied without whitespace. Scalars stay as
// written.

extension JSONNode {
    /// The value as compact JSON text, in O(its length).
    package var compactText: [UInt8] {
        var text: [UInt8] = []
        appendCompact(to: &text)
        return text
    }

    /// Appends the value as compact JSON text, in O(its length).
    public func appendCompact(to output: inout [UInt8]) {
        let range = byteRange
        output.reserveCapacity(output.count + range.count)
        var copied = range.lowerBound
        var scanned = range.lowerBound
        for entry in document.tape[index..<max(next, index)]
        where entry.tag == .name || entry.tag == .string {
            copyTokens(from: &copied, scanning: scanned..<entry.byteRange.lowerBound, to: &output)
            scanned = entry.byteRange.upperBound
        }
        copyTokens(from: &copied, scanning: scanned..<range.upperBound, to: &output)
        output.append(contentsOf: document.bytes[copied..<range.upperBound])
    }

    /// Copies the text from `copied` on, without the whitespace in `gap`.
    private func copyTokens(
        from copied: inout Int, scanning gap: Range<Int>, to output: inout [UInt8]
    ) {
        for index in gap where JSONParser.isWhitespace(document.bytes[index]) {
            output.append(contentsOf: document.bytes[copied..<index])
            copied = index + 1
        }
    }
}
