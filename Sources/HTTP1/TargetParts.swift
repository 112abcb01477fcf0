// The four forms of a request target (RFC 9112 §3.2), told apart and split, not yet decoded.

/// Where path, query and authority stand in a request target.
struct TargetParts {
    let path: Range<Int>
    let query: Range<Int>?
    /// Of an absolute target, or of CONNECT's.
    let authority: Range<Int>?

    /// Splits the target that stands at `range` of `head`.
    ///
    /// Throws `malformedTarget` for octets that can't be in a target, `targetForm` where form and
    /// method don't fit.
    init(_ head: [UInt8], _ range: Range<Int>, _ method: Request.Method) throws(Refusal) {
        let target = head[range]
        switch (method, target.first) {
        case (.connect, _):
            guard Request.isAuthority(target), target.last?.isDigit == true,
                target.contains(UInt8(ascii: ":"))
            else { throw .targetForm }
            path = range.lowerBound..<range.lowerBound
            query = nil
            authority = range
        case (_, UInt8(ascii: "/")):
            authority = nil
            (path, query) = try Self.split(head, range)
        case (.options, UInt8(ascii: "*")) where range.count == 1:
            path = range
            query = nil
            authority = nil
        default:
            let start = try Self.authorityStart(target)
            let end =
                head[start..<range.upperBound].firstIndex {
                    $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
                } ?? range.upperBound
            guard Request.isAuthority(head[start..<end]) else { throw .malformedTarget }
            authority = start..<end
            (path, query) = try Self.split(head, end..<range.upperBound)
        }
    }

    /// Behind `http://` or `https://`, in any letter case (RFC 9110 §4.2).
    private static func authorityStart(_ target: ArraySlice<UInt8>) throws(Refusal) -> Int {
        for scheme in ["http://", "https://"]
        where target.prefix(scheme.utf8.count).equalsIgnoringCase(scheme.utf8) {
            return target.startIndex + scheme.utf8.count
        }
        throw .targetForm
    }

    private static func split(
        _ head: [UInt8], _ range: Range<Int>
    ) throws(Refusal) -> (path: Range<Int>, query: Range<Int>?) {
        var index = range.lowerBound
        let pathOctets = OctetSet.path
        while index < range.upperBound, pathOctets.contains(head[index]) { index += 1 }
        let path = range.lowerBound..<index
        guard index < range.upperBound else { return (path, nil) }
        guard head[index] == UInt8(ascii: "?") else { throw .malformedTarget }
        let query = (index + 1)..<range.upperBound
        let queryOctets = OctetSet.query
        for position in query where !queryOctets.contains(head[position]) {
            throw .malformedTarget
        }
        return (path, query)
    }
}
