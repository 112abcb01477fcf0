// The head of a response as a client gets it: status and field lines, and how the content's end is
// found. Nothing off-grammar is repaired.

/// Status and fields of a response.
package struct AnswerHead: Sendable {
    /// 100 to 599.
    package let status: Int

    /// Name and value of each field line, in order; values without the blanks around them.
    package let fields: [(name: String, value: String)]

    /// The first value of a field, named in lower case; nil when there is none.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// The head of a response that was made in this process.
    package init(_ response: Response) {
        status = response.status.code
        fields = Self.fields(response.fieldLines[...]) ?? []
    }

    /// Reads a head, its empty line not included (RFC 9112 §4 and §5); nil when it is none.
    ///
    /// O(size).
    init?(_ bytes: ArraySlice<UInt8>) {
        let end = bytes.firstIndex(of: 0x0D) ?? bytes.endIndex
        let line = bytes[..<end]
        let code = line.dropFirst(9).prefix(3)
        guard line.starts(with: "HTTP/1.".utf8), line.dropFirst(7).first?.isDigit == true,
            line.dropFirst(8).first == 0x20, code.count == 3, code.allSatisfy(\.isDigit),
            line.dropFirst(12).first ?? 0x20 == 0x20,
            line.dropFirst(12).allSatisfy(Self.isText),
            bytes[end...].dropFirst().first ?? 0x0A == 0x0A,
            let status = Int(String(decoding: code, as: UTF8.self)), (100...599).contains(status),
            let fields = Self.fields(bytes[end...].dropFirst(2))
        else { return nil }
        self.status = status
        self.fields = fields
    }

    /// What a value and a reason phrase may hold (RFC 9110 §5.5, RFC 9112 §4).
    private static func isText(_ octet: UInt8) -> Bool {
        octet >= 0x20 && octet != 0x7F || octet == 0x09
    }

    /// Takes field lines apart, of which each but the last must end with CRLF.
    private static func fields(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0D) ?? rest.endIndex
            let line = rest[..<end]
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(OctetSet.token.contains),
                line[colon...].allSatisfy(Self.isText),
                rest[end...].dropFirst().first ?? 0x0A == 0x0A
            else { return nil }
            let value = Request.trimmed(line[colon...].dropFirst())
            fields.append(
                (
                    String(decoding: line[..<colon], as: UTF8.self),
                    String(decoding: value, as: UTF8.self)
                ))
            rest = rest[end...].dropFirst(2)
        }
        return fields
    }
}

extension AnswerHead {
    /// How the end of the content is found.
    enum Framing: Equatable {
        case request(Request.Framing)
        /// The content ends with the connection.
        case untilEnd
    }

    /// The framing of the content that answers `method` (RFC 9112 §6.3); nil when the head
    /// contradicts itself, or names a coding that is not known here.
    func framing(answering method: Request.Method) -> Framing? {
        if method == .head || status < 200 || status == 204 || status == 304 {
            return .request(.none)
        }
        let codings = values("transfer-encoding")
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { return nil }
            return .request(.chunked)
        }
        let lengths = Set(values("content-length"))
        guard let length = lengths.first else { return .untilEnd }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(\.isDigit),
            let number = Int(length)
        else { return nil }
        return .request(number == 0 ? .none : .length(number))
    }

    private func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
}
