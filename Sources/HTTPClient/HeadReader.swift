// Parses a response's head, and the trailers after its content, from the lines that libcurl passes
// on. It skips interim responses. A value without a socket.
//
// Invariant: malformed lines are an error, but for folded values and blanks before a colon, which
// old servers write, and malformed trailers are skipped; the size of a head is limited.

/// The state of reading the head of one response (RFC 9112 §4 and §5).
struct HeadReader {
    /// The head of the final response, after its last line.
    private(set) var head: ResponseHead?

    /// Whether content has followed the head, so that further lines are trailers.
    var hasContent = false

    private var partial: ResponseHead?
    private var size = 0

    /// Takes a line with its line end.
    ///
    /// O(size). Throws `malformed` or `tooLarge`.
    mutating func take(_ line: [UInt8]) throws(ClientError) {
        size += line.count
        guard size <= Limits.headBytes else { throw .tooLarge(bytes: Limits.headBytes) }
        var text = line[...]
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        if !hasContent, text.starts(with: "HTTP/".utf8) {
            guard let status = Self.status(text) else { throw .malformed }
            partial = ResponseHead(status: status)
            head = nil
        } else if text.isEmpty {
            if let partial, partial.status >= 200 { head = partial }
            partial = nil
        } else if head == nil {
            if text.first.map(Self.isBlank) == true { return try unfold(text) }
            guard let field = Self.field(text) else { throw .malformed }
            partial?.fields.append(field)
        } else if let field = Self.field(text) {
            head?.trailers.append(field)
        }
    }

    /// Adds a folded line to the value before it, after one space (RFC 9112 §5.2).
    ///
    /// Throws `malformed` if no field is before it.
    private mutating func unfold(_ line: ArraySlice<UInt8>) throws(ClientError) {
        guard let last = partial?.fields.indices.last else { throw .malformed }
        let rest = Self.trimmed(line)
        if rest.isEmpty { return }
        let isFirst = partial?.fields[last].value.isEmpty == true
        partial?.fields[last].value += (isFirst ? "" : " ") + String(decoding: rest, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return text
    }

    /// 100 to 599; nil if the line isn't a status line.
    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let code = line.dropFirst(9).prefix(3)
        guard line.starts(with: "HTTP/1.".utf8), line.dropFirst(8).first == 0x20, code.count == 3,
            line.dropFirst(12).first ?? 0x20 == 0x20,
            let status = Int(String(decoding: code, as: UTF8.self)), (100...599).contains(status)
        else { return nil }
        return status
    }

    /// Name and value; nil if the line has no valid name (RFC 9110 §5.1).
    ///
    /// A blank before the colon is no part of the name (RFC 9112 §5.1).
    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = trimmed(line[..<colon])
        guard !name.isEmpty, name.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let value = trimmed(line[colon...].dropFirst())
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}
