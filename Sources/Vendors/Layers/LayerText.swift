// The text between two layers of a callback, whose bytes can be found again in the request.
//
// Invariant: every place is inside of its text. Left out: editing; see `EscapedText` for how
// offsets are mapped through escapes.

import Text

/// A text between two layers.
struct LayerText {
    /// One pair of a query or a form, as a line of the text.
    struct Line {
        /// The parameter, whose offsets are in its part.
        let parameter: Parameter
        /// The range of the line in the text, without its end.
        let range: Range<Int>
        /// The start of the value in the text.
        let valueStart: Int
        /// The value with its escapes; nil in a text that still has them.
        let value: EscapedText?
    }

    /// How places of the request become places of the text.
    enum Origin {
        /// The text is the part, from this byte on.
        case part(Diagnostic.Part, from: Int)
        /// The text is inside of a parameter, and of the layers that were removed from it.
        case payload(EscapedText, [PayloadLayer])
        /// Pairs, a line each.
        case lines([Line])
    }

    let bytes: [UInt8]
    let origin: Origin

    /// The place of a byte of the request; nil if it isn't in this text.
    ///
    /// O(length · log(length)).
    func place(of offset: Int, in part: Diagnostic.Part) -> Int? {
        switch origin {
        case .part(let own, let start):
            guard own == part, offset >= start else { return nil }
            return min(offset - start, bytes.count)
        case .payload(let text, let layers):
            let end = text.range.upperBound
            guard text.part == part, text.range.lowerBound...end ~= offset else { return nil }
            return firstPlace { layers.sourceOffset(of: $0, in: text) >= offset }
        case .lines(let lines):
            guard
                let line = lines.first(where: { line in
                    let parameter = line.parameter
                    return parameter.part == part
                        && parameter.offset...parameter.valueRange.upperBound ~= offset
                })
            else { return nil }
            return line.place(of: offset)
        }
    }

    /// The end of what begins at `place`: a pair, a JSON token, or a single byte.
    func end(ofToken place: Int, in layer: Diagnostic.Layer) -> Int {
        guard place < bytes.count else { return bytes.count }
        if case .lines(let lines) = origin {
            return lines.first { $0.range.contains(place) }?.range.upperBound ?? place + 1
        }
        let limit = min(bytes.count, place + Limits.maximumMarkedBytes)
        switch layer {
        case .percent: return min(place + 3, bytes.count)
        case .model, .json: return Self.endOfJSON(bytes, from: place, to: limit)
        case .url, .form, .body, .base64, .utf8: return place + 1
        }
    }

    /// The end of a JSON string, or of a number or word.
    private static func endOfJSON(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int {
        let quote = UInt8(ascii: "\"")
        var index = start + 1
        if bytes[start] == quote {
            while index < limit, bytes[index] != quote {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(index + 1, limit)
        }
        guard isWord(bytes[start]) else { return index }
        while index < limit, isWord(bytes[index]) { index += 1 }
        return index
    }

    /// Whether a byte may be in a number or a word.
    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isAlphanumeric || "-+.".utf8.contains(byte)
    }

    /// The first place for which an ascending condition holds; the end if there is none.
    private func firstPlace(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, bytes.count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension LayerText.Line {
    /// The place in the text of a byte of the parameter's part.
    fileprivate func place(of offset: Int) -> Int {
        guard let value else {
            return min(range.lowerBound + offset - parameter.offset, range.upperBound)
        }
        guard offset >= parameter.valueRange.lowerBound else { return range.lowerBound }
        var (low, high) = (0, range.upperBound - valueStart)
        while low < high {
            let middle = low + (high - low) / 2
            if value.sourceOffset(ofUnescaped: middle) >= offset {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return valueStart + low
    }
}
