// The layers around a vendor's JSON inside a decoded parameter, with their offset mapping.
// Invariant: an offset in a layer's output maps to an offset in its input.

/// A layer that was removed from a payload.
enum PayloadLayer {
    /// Base64 as written.
    case base64(ArraySlice<UInt8>)
    /// Percent-encoding, or the escapes of a JSON string; the text's bytes are the layer's.
    case escapes(EscapedText)
    /// A prefix of this many bytes.
    case prefix(Int)
    /// Removed ranges, ascending.
    case cuts([Range<Int>])

    /// The offset in the layer's input of byte `offset` of its output.
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
    /// The offset in the request part of byte `offset` inside all layers.
    func sourceOffset(of offset: Int, in text: EscapedText) -> Int {
        var offset = offset
        for layer in reversed() { offset = layer.sourceOffset(of: offset) }
        return text.sourceOffset(ofUnescaped: offset)
    }
}
