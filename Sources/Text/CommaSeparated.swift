// Tables as spreadsheets write them: lines of fields with commas between (RFC 4180).

package enum CommaSeparated {
    /// The lines with their numbers, from 1, and their fields.
    ///
    /// A field in quotation marks may contain commas, but no line break. Leaves out a byte order
    /// mark, empty lines, and lines that begin with `#`. O(size).
    package static func lines(of content: [UInt8]) -> [(number: Int, fields: [String])] {
        let text = String(decoding: content, as: UTF8.self)
        let lines = text.drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false) { $0.isNewline }
        return lines.enumerated().compactMap { index, line in
            line.isEmpty || line.hasPrefix("#") ? nil : (index + 1, fields(of: line))
        }
    }

    private static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        var rest = line
        while let character = rest.popFirst() {
            let isBeginning = fields[fields.count - 1].isEmpty && !isQuoted
            if character == "\"", isQuoted, rest.first == "\"" {
                rest.removeFirst()
                fields[fields.count - 1].append(character)
            } else if character == "\"", isQuoted || isBeginning {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
