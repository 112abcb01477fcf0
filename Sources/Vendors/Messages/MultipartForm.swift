// Reads `multipart/form-data` (RFC 7578, RFC 2046 §5.1.1): named parts between boundaries.
//
// Invariant: strict, because two readers of a lenient format see two messages. A form with a fault
// has no parts, and one error says where it is; offsets are those of the body. Text around the form
// and blanks after a boundary, which no client sends, are faults. Left out: file names and types of
// parts.

import Text

/// A form in parts.
struct MultipartForm {
    /// One named part.
    struct Part {
        /// The name inside its quotation marks.
        let name: Range<Int>
        let content: Range<Int>
    }

    /// The first thing that is wrong with a form.
    private struct Fault: Error {
        let offset: Int
        let expected: String
        var hint: String?
    }

    /// In the order of the form; empty if it is broken.
    private(set) var parts: [Part] = []

    private let bytes: [UInt8]
    private let delimiter: [UInt8]

    /// Reads a form; adds an error if it is broken.
    ///
    /// - Parameter boundary: without the hyphens before it; nil if the content type has none.
    init(_ bytes: [UInt8], boundary: [UInt8]?, findings: inout Findings) {
        self.bytes = bytes
        delimiter = Array("--".utf8) + (boundary ?? [])
        guard boundary != nil else {
            findings.add(
                .error, .body, "missing_boundary", in: .head,
                expected: "the parameter boundary in Content-Type, of 1 to 70 characters",
                found: "none",
                hint: "let the HTTP client set Content-Type: it chooses the boundary")
            return
        }
        do throws(Fault) {
            try read()
        } catch {
            parts = []
            findings.add(
                .error, .body, "broken_multipart", in: .body, at: error.offset,
                expected: error.expected, found: Excerpt.byte(bytes[error.offset...]),
                hint: error.hint)
        }
    }

    private mutating func read() throws(Fault) {
        guard bytes.starts(with: delimiter) else {
            throw Fault(
                offset: 0, expected: "-- and the boundary of the content type",
                hint: bytes.starts(with: "--".utf8)
                    ? "the body has another boundary than the content type" : nil)
        }
        var index = delimiter.count
        while !has("--", at: index) {
            guard has("\r\n", at: index) else {
                throw Fault(
                    offset: index, expected: "a line break, CR and LF, after a boundary",
                    hint: has("\n", at: index) ? Self.lineBreakHint : nil)
            }
            let (name, start) = try fields(from: index + 2)
            // The line break before a delimiter may also end the empty line after the fields.
            let end = try place(of: [0x0D, 0x0A] + delimiter, from: start - 2)
            parts.append(Part(name: name, content: start..<max(start, end)))
            index = end + 2 + delimiter.count
        }
        let end = index + (has("--\r\n", at: index) ? 4 : 2)
        guard end == bytes.count else {
            throw Fault(offset: end, expected: "nothing after the last boundary")
        }
    }

    /// The name in a part's fields, and the start of its content.
    private func fields(from start: Int) throws(Fault) -> (name: Range<Int>, content: Int) {
        var name: Range<Int>?
        var index = start
        while !has("\r\n", at: index) {
            let limit = min(bytes.count, start + Limits.maximumPartFieldBytes)
            guard let end = bytes.span.index(of: [0x0D, 0x0A], from: index, to: limit) else {
                let isLong = limit < bytes.count
                throw Fault(
                    offset: isLong ? limit : index,
                    expected: isLong
                        ? "at most \(Limits.maximumPartFieldBytes) bytes of fields in a part"
                        : "fields of a part, each ended by CR and LF, and an empty line",
                    hint: isLong ? nil : Self.lineBreakHint)
            }
            if let found = try disposition(in: index..<end) {
                guard name == nil else {
                    throw Fault(offset: index, expected: "one Content-Disposition in a part")
                }
                name = found
            }
            index = end + 2
        }
        guard let name else {
            throw Fault(
                offset: start, expected: "Content-Disposition: form-data; name=\"…\" in each part")
        }
        return (name, index + 2)
    }

    /// The name if the line is `Content-Disposition`; nil for another field.
    private func disposition(in line: Range<Int>) throws(Fault) -> Range<Int>? {
        let text = bytes[line]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
            !text[..<colon].contains(where: { $0 <= 0x20 })
        else {
            throw Fault(offset: line.lowerBound, expected: "a field of a part: name, colon, value")
        }
        let field = String(decoding: text[..<colon], as: UTF8.self).lowercased()
        let value = text[(colon + 1)...].drop(while: \.isBlank)
        if field == "content-transfer-encoding" { try checkEncoding(value) }
        guard field == "content-disposition" else { return nil }
        let type = value.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
        guard type.map(\.lowercased).elementsEqual("form-data".utf8) else {
            throw Fault(offset: value.startIndex, expected: "the disposition form-data")
        }
        var parameters = MediaParameters(value[type.endIndex...])
        var name: Range<Int>?
        while let parameter = parameters.next() {
            guard parameter.isNamed("name") else { continue }
            guard name == nil else {
                throw Fault(offset: parameter.name.startIndex, expected: "one name of a part")
            }
            name = parameter.value.indices
        }
        if let offset = parameters.faultAt {
            throw Fault(offset: offset, expected: "; and a parameter, such as name=\"…\"")
        }
        guard let name else {
            throw Fault(offset: line.upperBound, expected: "name=\"…\" in Content-Disposition")
        }
        return name
    }

    /// Only identity encodings: RFC 7578 §4.7 deprecates the others.
    private func checkEncoding(_ value: ArraySlice<UInt8>) throws(Fault) {
        let name = String(decoding: value, as: UTF8.self).lowercased()
        guard !["7bit", "8bit", "binary"].contains(name) else { return }
        throw Fault(
            offset: value.startIndex, expected: "the encoding 7bit, 8bit or binary",
            hint: "send the bytes themselves, without Content-Transfer-Encoding")
    }

    private func place(of line: [UInt8], from start: Int) throws(Fault) -> Int {
        if let place = bytes.span.index(of: line, from: start, to: bytes.count) { return place }
        throw Fault(
            offset: bytes.count, expected: "the last boundary, followed by --",
            hint: "the body is cut off")
    }

    private func has(_ text: String, at index: Int) -> Bool {
        bytes[min(index, bytes.count)...].starts(with: text.utf8)
    }

    private static let lineBreakHint = "lines of a form end with CR and LF"
}

extension Message {
    /// Adds the parts of a form as parameters.
    mutating func addParts(of form: MultipartForm, in content: [UInt8]) {
        for part in form.parts {
            let name = EscapedText(
                part: .body, bytes: content, range: part.name, escaping: .part)
            let isPlain = name.isPlain
            let range =
                isPlain ? name.range : repair(Repaired(name, findings: &findings).bytes)
            add(
                Parameter(
                    nameSource: isPlain ? .part : .repaired, nameRange: range, part: .body,
                    offset: part.name.lowerBound, valueRange: part.content, escaping: .part))
        }
    }
}
