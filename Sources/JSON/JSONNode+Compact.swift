// A node's text without the whitespace between tokens, to be embedded in one line.
//
// Invariant: no line break survives. Strings hold none (the reader refuses raw control characters),
// and everything between strings is copied without whitespace. Scalars stay as they were written.

extension JSONNode {
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

    /// Copies what has gathered since `copied` whenever whitespace interrupts it in `gap`.
    private func copyTokens(
        from copied: inout Int, scanning gap: Range<Int>, to output: inout [UInt8]
    ) {
        for index in gap where JSONParser.isWhitespace(document.bytes[index]) {
            output.append(contentsOf: document.bytes[copied..<index])
            copied = index + 1
        }
    }
}
