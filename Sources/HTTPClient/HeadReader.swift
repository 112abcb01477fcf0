// Parses a response's head from the lines that libcurl passes on. It skips interim responses and
// trailers. A value without a socket.
//
// Invariant: malformed lines are an error, and the size of a head is limited.

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
            guard let field = Self.field(text) else { throw .malformed }
            partial?.fields.append(field)
        }
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
    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = line[colon...].dropFirst().drop(while: isBlank)
        while value.last.map(isBlank) == true { value.removeLast() }
        return (
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)
        )
    }
}
