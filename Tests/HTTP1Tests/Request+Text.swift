// Requests from text, for tests that are about what a head means and not about how it is read.
// A head that the parser refuses is an error of the test.

import Testing

@testable import HTTP1

extension Request {
    /// Parses a head, given by its lines without line ends.
    init(lines: [String]) throws {
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        var parser = HeadParser(limits: Limits())
        guard case .done(let request, _) = parser.parse(Array(text.utf8).span) else {
            throw NoRequest(text: text)
        }
        self = request
    }

    private struct NoRequest: Error {
        let text: String
    }
}

/// Octets as text, to compare with literals.
func text(_ octets: some Sequence<UInt8>) -> String {
    String(decoding: Array(octets), as: UTF8.self)
}
