// What can lie around a vendor's JSON once the parameter itself is unescaped, and the way back out.
// Invariant: an offset in what a layer gave becomes an offset in what the layer was taken off from.

/// A layer that was taken off a payload.
enum PayloadLayer {
    /// Base64, as it was written.
    case base64(ArraySlice<UInt8>)
    /// Percent-encoding, or the escapes of a JSON string; the text's bytes are the layer's.
    case escapes(EscapedText)
    /// So many bytes in front.
    case prefix(Int)
    /// Pieces in between, ascending.
    case cuts([Range<Int>])

    /// The offset in the layer's own text of what gave the byte `offset` below it.
    fileprivate func sourceOffset(of offset: Int) -> Int {
        switch self {
        case .base64(let text): Base64Text.sourceIndex(ofOctet: offset, in: text)
        case .escapes(let text): text.sourceOffset(ofUnescaped: offset)
        case .prefix(let count): offset + count
        case .cuts(let cuts):
            cuts.reduce(offset) { $1.lowerBound <= $0 ? $0 + $1.count : $0 }
        }
    }
}

extension [PayloadLayer] {
    /// The offset in the part of the request of what gave the byte `offset` inside of all layers.
    func sourceOffset(of offset: Int, in text: EscapedText) -> Int {
        var offset = offset
        for layer in reversed() { offset = layer.sourceOffset(of: offset) }
        return text.sourceOffset(ofUnescaped: offset)
    }
}
