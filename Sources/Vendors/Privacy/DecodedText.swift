// A text without one layer of its escapes, in which every byte knows what gave it.
//
// Invariant: `sources` has one entry more than `bytes` and never decreases. Broken escapes stand as
// they are. For redaction; the decoders go by `EscapedText`, which asks for the way back only when
// something is wrong.

import JSON
import Text

/// A part of a text, unescaped.
struct DecodedText {
    /// The kinds of escapes that can be taken off.
    enum Layer {
        /// Percent-encoding, with `+` for a space: nobody means a plus sign around a name.
        case percent
        /// The escapes inside of a JSON string (RFC 8259 §7).
        case jsonString
    }

    private(set) var bytes: [UInt8] = []

    /// Where what gave each byte starts in the escaped text, and where the last one ends.
    private var sources: [Int] = []

    private let layer: Layer

    /// Unescapes `range` of `text`, in O(its length).
    init(_ text: [UInt8], _ range: Range<Int>, from layer: Layer) {
        self.layer = layer
        bytes.reserveCapacity(range.count)
        sources.reserveCapacity(range.count + 1)
        var index = range.lowerBound
        while index < range.upperBound {
            index += append(text, at: index, end: range.upperBound)
        }
        sources.append(range.upperBound)
    }

    /// What `edit` of the bytes is in the escaped text.
    func escaped(_ edit: Redactor.Edit) -> Redactor.Edit {
        let range = sources[edit.range.lowerBound]..<sources[edit.range.upperBound]
        switch layer {
        case .percent:
            return Redactor.Edit(range: range, text: PercentEncoding.encode(edit.text))
        case .jsonString:
            var escaped: [UInt8] = []
            for byte in edit.text {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    escaped.append(UInt8(ascii: "\\"))
                }
                escaped.append(byte)
            }
            return Redactor.Edit(range: range, text: escaped)
        }
    }

    /// Unescapes what stands at `index`, and returns its length.
    private mutating func append(_ text: [UInt8], at index: Int, end: Int) -> Int {
        let byte = text[index]
        switch layer {
        case .percent:
            if let octet = PercentEncoding.octet(text.span, at: index, end: end) {
                append(octet, from: index)
                return 3
            }
            append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte, from: index)
        case .jsonString:
            if byte == UInt8(ascii: "\\") {
                let escape = JSONEscapes.escape(in: text, at: index, end: end)
                for byte in String(escape.scalar).utf8 { append(byte, from: index) }
                return escape.length
            }
            append(byte, from: index)
        }
        return 1
    }

    private mutating func append(_ byte: UInt8, from source: Int) {
        bytes.append(byte)
        sources.append(source)
    }
}
