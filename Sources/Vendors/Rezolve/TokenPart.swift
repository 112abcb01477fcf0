// One of the three parts of a token: Base64 in the URL alphabet, without padding (RFC 7515 §2).
// Invariant: the other alphabet and padding are read too, each with a problem.

import JSON

/// Header, claims or signature, as written.
struct TokenPart {
    private let text: ArraySlice<UInt8>
    private let name: String

    /// - Parameter text: a slice whose indices are offsets in the token.
    init(_ text: ArraySlice<UInt8>, _ name: String) {
        self.text = text
        self.name = name
    }

    /// The bytes; nil, with a problem, if they can't be read.
    func octets(_ problems: inout [TokenProblem]) -> [UInt8]? {
        if let index = text.firstIndex(where: Self.isWhitespace) {
            problems.append(
                TokenProblem(.brokenBase64, at: index, "The \(name) has a space or line end in it.")
            )
            return nil
        }
        guard case .octets(let octets, _) = Base64Text.decode(text) else {
            let index = text.firstIndex { !EncodedJSON.isDigit($0) && $0 != UInt8(ascii: "=") }
            problems.append(
                TokenProblem(
                    .brokenBase64, at: index ?? text.endIndex,
                    index == nil
                        ? "The \(name) is cut off: its Base64 has one character too many or too few."
                        : "The \(name) has a character that is not Base64."))
            return nil
        }
        if let index = text.firstIndex(where: { "+/".utf8.contains($0) }) {
            problems.append(
                TokenProblem(
                    .base64Alphabet, at: index,
                    "The \(name) is in the standard Base64 alphabet: write - for + and _ for /."))
        }
        if let index = text.firstIndex(of: UInt8(ascii: "=")) {
            problems.append(
                TokenProblem(
                    .base64Padding, at: index, "The \(name) has padding: leave out the =."))
        }
        return octets
    }

    /// The JSON object; nil, with a problem, if there is none.
    func object(_ problems: inout [TokenProblem]) -> JSONDocument? {
        guard let octets = octets(&problems) else { return nil }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(parsing: octets)
        } catch {
            problems.append(
                TokenProblem(
                    .brokenJSON, at: place(ofOctet: error.offset),
                    "The \(name) is not JSON at its byte \(error.offset): expected "
                        + "\(error.expected), found \(error.found)."))
            return nil
        }
        guard document.root.kind == .object else {
            problems.append(
                TokenProblem(
                    .notAnObject, at: text.startIndex,
                    "The \(name) must be a JSON object; it is of type \(document.root.kind.rawValue)."
                ))
            return nil
        }
        if let repeated = document.repeatedNames.first {
            let node = repeated.repetition.name
            problems.append(
                TokenProblem(
                    .duplicateMember, at: place(ofOctet: node.byteRange.lowerBound),
                    "The \(name) has \(Excerpt.quoted(node.text.dropFirst().dropLast())) twice."))
        }
        return document
    }

    /// The offset in the token of a byte's Base64.
    private func place(ofOctet offset: Int) -> Int {
        text.startIndex + Base64Text.sourceIndex(ofOctet: offset, in: text)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }
}
