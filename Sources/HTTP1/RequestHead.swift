// One request's head: its bytes, ranges that locate its parts, and what the fields mean for the
// message's length and the connection.

/// The head of a valid request, parsed once and shared by all users of the request.
final class RequestHead: Sendable {
    /// The head, from the method to the empty line.
    let bytes: [UInt8]

    let method: Request.Method

    /// 0 or 1 for HTTP/1.0 and HTTP/1.1; higher minors are served as 1.1 (RFC 9110 §2.5).
    let minorVersion: Int

    let framing: Request.Framing

    /// Whether the peer waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    let expectsContinue: Bool

    /// Whether the connection may serve another request (RFC 9112 §9.3).
    let keepsAlive: Bool

    /// How the body was compressed (RFC 9110 §8.4).
    let contentCoding: Request.ContentCoding

    let targetRange: Range<Int>
    let pathRange: Range<Int>
    let queryRange: Range<Int>?
    let authorityRange: Range<Int>?
    /// The authority's host, in lowercase and without port, brackets and trailing dot.
    let host: String
    /// Whether an absolute target's scheme is https; nil for the other forms of a target.
    let targetIsSecure: Bool?
    let fields: [Request.Field]

    /// Makes a head from bytes that were split into lines.
    ///
    /// - Parameters:
    ///   - head: the bytes that all ranges refer to.
    ///   - line: the request line.
    ///   - fields: the field lines.
    ///
    /// Throws the refusal that RFC 9110 or RFC 9112 requires. O(head).
    init(_ head: [UInt8], _ line: RequestLine, _ fields: [Request.Field]) throws(Refusal) {
        guard let method = Self.method(head[line.method]) else { throw .unknownMethod }
        let target = try TargetParts(head, line.target, method)
        bytes = head
        self.method = method
        self.fields = fields
        minorVersion = line.minorVersion
        targetRange = line.target
        pathRange = target.path
        queryRange = target.query
        targetIsSecure = target.isSecure

        let known = KnownFields(head, fields)
        let host = try Self.host(head, known.hosts, isRequired: line.minorVersion >= 1)
        authorityRange = target.authority?.range ?? host?.range
        let hostRange = target.authority?.host ?? host?.host
        self.host = hostRange.map { Self.name(of: head[$0]) } ?? ""
        let hasCoding = !known.transferEncodings.isEmpty
        framing = try Self.framing(head, known)
        contentCoding = Self.contentCoding(head, known.contentEncodings)
        expectsContinue = try Self.expectsContinue(head, known.expectations, line.minorVersion)
        // An HTTP/1.0 message with a transfer coding ends its connection (RFC 9112 §6.1).
        keepsAlive =
            Self.keepsAlive(head, known.connections, line.minorVersion)
            && !(hasCoding && line.minorVersion == 0) && method != .connect
    }
}
