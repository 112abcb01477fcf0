// Lines out of parts: the same ones, wherever the parts are cut.

import Testing

@testable import ResultAPI
@testable import Text

@Suite struct NDJSONLinesTests {
    /// The lines of a text in parts of so many bytes: number and text, or "too long".
    private func lines(_ text: String, partBytes: Int, maximum: Int = 8) -> [String] {
        var splitter = NDJSONLines(maximumLineBytes: maximum)
        var lines: [NDJSONLines.Line] = []
        let octets = Array(text.utf8)
        for start in stride(from: 0, to: octets.count, by: partBytes) {
            lines += splitter.lines(in: octets[start..<min(start + partBytes, octets.count)])
        }
        if let last = splitter.finish() { lines.append(last) }
        return lines.map { line in
            switch line {
            case .text(let number, let octets):
                "\(number):" + String(decoding: octets, as: UTF8.self)
            case .tooLong(let number): "\(number) too long"
            }
        }
    }

    @Test(
        arguments: [
            ("", []), ("a", ["1:a"]), ("a\n", ["1:a"]), ("a\nb", ["1:a", "2:b"]),
            ("a\r\nb\r\n", ["1:a", "2:b"]), ("\n \n\t\r\na\n\n", ["4:a"]),
            ("\u{FEFF}a\n", ["1:a"]), ("\u{FEFF}\na", ["2:a"]),
            ("a\n\u{FEFF}b", ["1:a", "2:\u{FEFF}b"]),
            ("a\rb\n", ["1:a\rb"]), ("a\r", ["1:a"]), (" a \n", ["1: a "]),
            ("12345678\na", ["1:12345678", "2:a"]), ("123456789\na", ["1 too long", "2:a"]),
            ("a\n123456789", ["1:a", "2 too long"]), ("12345678", ["1:12345678"]),
            ("1234567890123\n1234567890123\n\na", ["1 too long", "2 too long", "4:a"]),
            ("üüüü\n", ["1:üüüü"]),
        ] as [(String, [String])])
    func linesDoNotDependOnTheCuts(text: String, expected: [String]) {
        for partBytes in 1...max(1, text.utf8.count) {
            #expect(lines(text, partBytes: partBytes) == expected, "parts of \(partBytes)")
        }
    }
}
