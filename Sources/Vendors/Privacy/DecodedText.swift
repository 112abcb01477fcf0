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
        Redactor.Edit(
            range: source(of: edit.range.lowerBound)..<source(of: edit.range.upperBound),
            text: Self.escape(edit.text, in: layer))
    }

    /// The offset in the escaped text of the source of the byte at `index`, or of the end.
    func source(of index: Int) -> Int { sources[index] }

    /// A replacement as it is written in a layer.
    static func escape(_ text: [UInt8], in layer: Layer) -> [UInt8] {
        switch layer {
        case .percent: PercentEncoding.encode(text)
        case .jsonString:
            text.flatMap { byte in
                let isSign = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                return isSign ? [UInt8(ascii: "\\"), byte] : [byte]
            }
        }
    }

    /// Decodes the byte or escape at `index`, and returns its length.
    private mutating func append(_ text: [UInt8], at index: Int, end: Int) -> Int {
        var (byte, length) = (text[index], 1)
        switch layer {
        case .percent:
            if let octet = PercentEncoding.octet(text.span, at: index, end: end) {
                (byte, length) = (octet, 3)
            } else if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
        case .jsonString where byte == UInt8(ascii: "\\"):
            let escape = JSONEscapes.escape(in: text, at: index, end: end)
            for byte in String(escape.scalar).utf8 { append(byte, from: index) }
            return escape.length
        case .jsonString: break
        }
        append(byte, from: index)
        return length
    }

    private mutating func append(_ byte: UInt8, from source: Int) {
        bytes.append(byte)
        sources.append(source)
    }
}
