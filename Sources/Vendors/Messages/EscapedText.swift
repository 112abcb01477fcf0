// An escaped piece of a request, and its decoding: every decoded byte can be traced to its byte in
// the request.
//
// Invariant: decoding never fails. Broken escapes are copied unchanged and reported by offset.

import JSON
import Text

/// A parameter's text as it was sent.
struct EscapedText {
    /// How the text is escaped.
    enum Escaping {
        /// Percent-encoding; `+` is a plus sign (RFC 3986).
        case query
        /// Percent-encoding; `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
        case form
        /// The inside of a JSON string (RFC 8259 §7).
        case jsonString
        /// No escapes: a JSON value taken literally.
        case none
        /// No escapes: the content of a part of a multipart form.
        case part

        /// The layer that separates parameters in text with this escaping.
        func containerLayer(in part: Diagnostic.Part) -> Diagnostic.Layer {
            switch self {
            case .jsonString, .none: .json
            case .part: .form
            case .query, .form: part == .body ? .form : .url
            }
        }
    }

    /// Decoded text.
    struct Unescaped {
        /// The text; a slice of the part itself if there was nothing to decode.
        let bytes: ArraySlice<UInt8>
        /// The offset in the part of the first `%` without two hexadecimal digits.
        let brokenAt: Int?
    }

    let part: Diagnostic.Part
    /// The whole part of the request.
    let bytes: [UInt8]
    /// The range of the text in `bytes`.
    let range: Range<Int>
    var escaping: Escaping

    /// The layer that separates parameters where this text comes from.
    var containerLayer: Diagnostic.Layer { escaping.containerLayer(in: part) }

    /// Whether the text is ASCII without any escape, so that decoding doesn't change it.
    var isPlain: Bool {
        let text = bytes.span
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte >= 0x80 || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "\\")
            {
                return false
            }
            index += 1
        }
        return true
    }

    /// The decoded text, in O(length).
    func unescaped() -> Unescaped {
        switch escaping {
        case .none, .part: Unescaped(bytes: bytes[range], brokenAt: nil)
        case .query, .form: percentDecoded()
        case .jsonString: Unescaped(bytes: jsonUnescaped(), brokenAt: nil)
        }
    }

    /// The offset in the part of the byte or escape that gave the decoded byte `offset`.
    ///
    /// For an offset after the end, the end of the text. O(length); only diagnostics use it.
    func sourceOffset(ofUnescaped offset: Int) -> Int {
        switch escaping {
        case .none, .part: return range.lowerBound + min(max(offset, 0), range.count)
        case .jsonString:
            return JSONEscapes.sourceOffset(ofUnescaped: offset, in: bytes, range: range)
        case .query, .form:
            var index = range.lowerBound
            var remaining = offset
            while index < range.upperBound, remaining > 0 {
                index +=
                    PercentEncoding.octet(bytes.span, at: index, end: range.upperBound) == nil
                    ? 1 : 3
                remaining -= 1
            }
            return index
        }
    }

    private func percentDecoded() -> Unescaped {
        let plus = escaping == .form ? UInt8(ascii: "+") : UInt8(ascii: "%")
        let first = bytes.span.place(
            of: UInt8(ascii: "%"), or: plus, from: range.lowerBound, to: range.upperBound)
        guard first < range.upperBound else {
            return Unescaped(bytes: bytes[range], brokenAt: nil)
        }
        var output = Array(bytes[range])
        let (count, brokenAt) = percentDecode(from: first, into: &output, plus: plus)
        return Unescaped(bytes: output[..<count], brokenAt: brokenAt)
    }

    /// Decodes the text from `first` on into `output`; there is no escape before it.
    private func percentDecode(
        from first: Int, into output: inout [UInt8], plus: UInt8
    ) -> (count: Int, brokenAt: Int?) {
        let text = bytes.span
        var output = output.mutableSpan
        var (count, index) = (first - range.lowerBound, first)
        var brokenAt: Int?
        while index < range.upperBound {
            var byte = text[index]
            if byte == UInt8(ascii: "%") {
                if let octet = PercentEncoding.octet(text, at: index, end: range.upperBound) {
                    byte = octet
                    index += 2
                } else if brokenAt == nil {
                    brokenAt = index
                }
            } else if byte == plus {
                byte = UInt8(ascii: " ")
            }
            output[count] = byte
            count += 1
            index += 1
        }
        return (count, brokenAt)
    }

    private func jsonUnescaped() -> ArraySlice<UInt8> {
        guard bytes[range].contains(UInt8(ascii: "\\")) else { return bytes[range] }
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        JSONEscapes.unescape(bytes, range: range, to: &output)
        return output[...]
    }
}
