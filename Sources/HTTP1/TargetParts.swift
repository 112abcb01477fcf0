// Distinguishes the four forms of a request target (RFC 9112 §3.2) and splits it, without decoding.

/// The ranges of path, query and authority in a request target.
struct TargetParts {
    let path: Range<Int>
    let query: Range<Int>?
    /// Whether an absolute target's scheme is https; nil for the other forms.
    let isSecure: Bool?
    /// Of an absolute target, or of CONNECT's, with the range of the host in it.
    let authority: (range: Range<Int>, host: Range<Int>)?

    /// Splits the target at `range` of `head`.
    ///
    /// Throws `malformedTarget` for invalid octets, `malformedAuthority`, and `targetForm` if the
    /// form doesn't match the method.
    init(_ head: [UInt8], _ range: Range<Int>, _ method: Request.Method) throws(Refusal) {
        let target = head[range]
        switch (method, target.first) {
        case (.connect, _):
            guard let parsed = Authority(target), let port = parsed.port, port > 0 else {
                throw .targetForm
            }
            isSecure = nil
            path = range.lowerBound..<range.lowerBound
            query = nil
            authority = (range, parsed.host.indices)
        case (_, UInt8(ascii: "/")):
            authority = nil
            isSecure = nil
            (path, query) = try Self.split(head, range, from: range.lowerBound)
        case (.options, UInt8(ascii: "*")) where range.count == 1:
            path = range
            query = nil
            authority = nil
            isSecure = nil
        default:
            let start: Int
            (start, isSecure) = try Self.authorityStart(target)
            let end =
                head[start..<range.upperBound].firstIndex {
                    $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
                } ?? range.upperBound
            guard let parsed = Authority(head[start..<end]) else { throw .malformedAuthority }
            authority = (start..<end, parsed.host.indices)
            (path, query) = try Self.split(
                head, end..<range.upperBound, from: range.lowerBound)
        }
    }

    /// The position after `http://` or `https://`, in any letter case (RFC 9110 §4.2).
    private static func authorityStart(
        _ target: ArraySlice<UInt8>
    ) throws(Refusal) -> (start: Int, isSecure: Bool) {
        for (scheme, isSecure) in [("http://", false), ("https://", true)]
        where target.prefix(scheme.utf8.count).equalsIgnoringCase(scheme.utf8) {
            return (target.startIndex + scheme.utf8.count, isSecure)
        }
        throw .targetForm
    }

    /// Path and query in `range` of a target that starts at `start`.
    private static func split(
        _ head: [UInt8], _ range: Range<Int>, from start: Int
    ) throws(Refusal) -> (path: Range<Int>, query: Range<Int>?) {
        let bytes = head.span
        let pathEnd = OctetSet.path.end(in: bytes, from: range.lowerBound, to: range.upperBound)
        let path = range.lowerBound..<pathEnd
        guard pathEnd < range.upperBound else { return (path, nil) }
        guard bytes[pathEnd] == UInt8(ascii: "?") else {
            throw .malformedTarget(bytes[pathEnd], at: pathEnd - start)
        }
        let query = (pathEnd + 1)..<range.upperBound
        let queryEnd = OctetSet.query.end(in: bytes, from: query.lowerBound, to: query.upperBound)
        guard queryEnd == query.upperBound else {
            throw .malformedTarget(bytes[queryEnd], at: queryEnd - start)
        }
        return (path, query)
    }
}
