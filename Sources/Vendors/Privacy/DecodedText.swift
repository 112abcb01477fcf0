// A text with one layer of escapes removed, in which every byte knows its source.
//
// Invariant: `sources` has one entry more than `bytes` and never decreases. Broken escapes stay
// unchanged. For redaction; the decoders use `EscapedText`, which computes sources only for
// diagnostics.

import JSON
import Text

/// A decoded part of a text.
struct DecodedText {
    /// The kinds of escapes.
    enum Layer {
        /// Percent-encoding, with `+` for a space: a plus sign around a name is never meant
        /// literally.
        case percent
        /// The escapes inside a JSON string (RFC 8259 §7).
        case jsonString
    }

    private(set) var bytes: [UInt8] = []

    /// The offset of each byte's source in the escaped text, and the end of the last one.
    private var sources: [Int] = []

    private let layer: Layer

    /// Decodes `range` of `text`, in O(its length).
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

    /// The edit of the escaped text that corresponds to `edit` of the decoded bytes.
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

    /// Decodes the byte or escape at `index`, and returns its length.
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
