// A request without its body: the shared parsed head, and where the request came from.
//
// Names, values, order and letter case stay as they were received. What the fields mean for the
// message's length and the connection was decided when the head was parsed (`HeadParser`).

import Text

/// A valid HTTP/1.x request without its body: two references, so that it is cheap to copy.
package struct Request: Sendable {
    /// A request method that this server knows (RFC 9110 §9, RFC 5789).
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case patch = "PATCH"
        case options = "OPTIONS"
        case trace = "TRACE"
        case connect = "CONNECT"
    }

    /// The ranges of one field line's name and value in `bytes`, without the blanks around the
    /// value.
    struct Field: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// How the body's end is found (RFC 9112 §6.3).
    package enum Framing: Sendable, Equatable {
        /// There is no body.
        case none
        /// The body has this many bytes, at least one.
        case length(Int)
        /// The body comes in chunks.
        case chunked
    }

    /// A coding of a request's content.
    package enum ContentCoding: Sendable, Equatable {
        case identity
        case gzip
        /// One that the server doesn't support, or several.
        case unknown
    }

    /// The parsed head.
    let head: RequestHead

    /// Where it comes from, according to the socket or a trusted proxy.
    package internal(set) var origin: RequestOrigin

    /// The head, from the method to the empty line.
    package var bytes: [UInt8] { head.bytes }

    package var method: Method { head.method }

    /// 0 or 1 for HTTP/1.0 and HTTP/1.1; higher minors are served as 1.1 (RFC 9110 §2.5).
    package var minorVersion: Int { head.minorVersion }

    package var framing: Framing { head.framing }

    /// Whether the peer waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    package var expectsContinue: Bool { head.expectsContinue }

    /// Whether the connection may serve another request (RFC 9112 §9.3).
    package var keepsAlive: Bool { head.keepsAlive }

    /// How the body was compressed (RFC 9110 §8.4).
    package var contentCoding: ContentCoding { head.contentCoding }

    private var fields: [Field] { head.fields }

    /// The request target as received.
    package var target: ArraySlice<UInt8> { bytes[head.targetRange] }

    /// The number of bytes of the request target.
    package var targetBytes: Int { head.targetRange.count }

    /// The path as received; `/` for an absolute target without one, `*` for `OPTIONS *`.
    package var path: ArraySlice<UInt8> {
        head.pathRange.isEmpty ? [UInt8(ascii: "/")][...] : bytes[head.pathRange]
    }

    /// The query as received, without its `?`; nil if there is no `?`.
    package var query: ArraySlice<UInt8>? { head.queryRange.map { bytes[$0] } }

    /// The requested host and port: from a trusted proxy, else from an absolute target, else from
    /// the Host field (RFC 9112 §3.3); nil if an HTTP/1.0 request names none.
    package var authority: ArraySlice<UInt8>? {
        origin.host.map { $0[...] } ?? head.authorityRange.map { bytes[$0] }
    }

    /// The host in lowercase, without port, brackets and trailing dot; empty if none was named.
    package var host: String {
        guard let forwarded = origin.host.flatMap({ Authority($0[...])?.host }) else {
            return head.host
        }
        return RequestHead.name(of: forwarded)
    }

    /// The first value of a field, without the blanks around it.
    ///
    /// O(fields).
    package func first(_ name: FieldName) -> ArraySlice<UInt8>? {
        for field in fields where isNamed(field, name) { return bytes[field.value] }
        return nil
    }

    /// Whether a field's name has this many bytes: a fast check before a slow one.
    ///
    /// O(fields).
    package func hasName(ofBytes count: Int) -> Bool {
        for field in fields where field.name.count == count { return true }
        return false
    }

    /// Compares without making a slice, because each request is asked for a dozen fields.
    private func isNamed(_ field: Field, _ name: FieldName) -> Bool {
        guard field.name.count == name.octets.count else { return false }
        let (bytes, octets) = (bytes, name.octets)
        let text = bytes.span
        for index in octets.indices
        where text[field.name.lowerBound + index].lowercased != octets[index] { return false }
        return true
    }

    /// All values of a field, in order.
    ///
    /// O(fields).
    package func values(_ name: FieldName) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        for field in fields where isNamed(field, name) { values.append(bytes[field.value]) }
        return values
    }

    /// Whether there may be a precondition or a range: a fast check before a slow one.
    ///
    /// O(fields).
    package var isSelective: Bool {
        fields.contains { field in
            let name = bytes[field.name]
            guard let first = name.first?.lowercased else { return false }
            return first == UInt8(ascii: "i") && name.prefix(3).equalsIgnoringCase("if-".utf8)
                || first == UInt8(ascii: "r") && name.equalsIgnoringCase("range".utf8)
        }
    }

    /// Every field line in the received order: name and value as octets.
    package var fieldLines: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        fields.map { (bytes[$0.name], bytes[$0.value]) }
    }

    /// Splits a list of tokens at its commas.
    ///
    /// Quotes have no meaning in it, so that a `close` can't be hidden behind one
    /// (RFC 9110 §7.6.1).
    ///
    /// O(size).
    static func tokens(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        value.split(separator: UInt8(ascii: ",")).map(trimmed).filter { !$0.isEmpty }
    }

    /// Splits a list value at its commas.
    ///
    /// O(size).
    static func members(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        var start = value.startIndex
        var isQuoted = false
        var isEscaped = false
        func add(_ end: Int) {
            let member = trimmed(value[start..<end])
            if !member.isEmpty { members.append(member) }
        }
        for index in value.indices {
            let octet = value[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, octet == UInt8(ascii: "\\") {
                isEscaped = true
            } else if octet == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if octet == UInt8(ascii: ","), !isQuoted {
                add(index)
                start = index + 1
            }
        }
        add(value.endIndex)
        return members
    }

    /// The value without SP and HTAB at both ends (RFC 9110 §5.5).
    static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value
        while let first = value.first, first.isBlank { value.removeFirst() }
        while let last = value.last, last.isBlank { value.removeLast() }
        return value
    }
}

extension Request {
    /// Parses a head that was made in this process, including its empty line; nil if it is invalid,
    /// or longer than the limits of a connection allow.
    package init?(_ head: [UInt8], from origin: RequestOrigin = .unknown) {
        var parser = HeadParser(limits: Limits(), origin: origin)
        guard case .done(let request, let size) = parser.parse(head.span), size == head.count else {
            return nil
        }
        self = request
    }
}
