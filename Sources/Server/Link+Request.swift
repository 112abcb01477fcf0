// The parts of a request's target that routes match, split on the event loop.
//
// Invariant: the number of parts is bounded, since each of them becomes a text of its own.

import HTTP1
import LinkPatterns
import Problems
import Text

extension Link {
    /// The path of a request, and its query if patterns may name a part of that; nil if a segment
    /// of the path can't be decoded.
    ///
    /// Throws 414 for a path with more than `Limits.pathSegments`. A query is cut after
    /// `Limits.routedParameters`. O(bytes).
    init?(_ request: Request, withQuery: Bool) throws(Problem) {
        let path = request.path
        // The path begins with a slash.
        let routed = path.dropFirst().prefix(Limits.pathSegments, separatedBy: UInt8(ascii: "/"))
        guard routed.endIndex == path.endIndex else {
            throw Problem(
                status: .uriTooLong, kind: "uri-too-long",
                detail: "The path may have at most \(Limits.pathSegments) segments.")
        }
        let query = withQuery ? request.query : nil
        guard
            let link = Link(
                path: path,
                query: query?.prefix(Limits.routedParameters, separatedBy: UInt8(ascii: "&")))
        else { return nil }
        self = link.withoutDotSegments
    }

    /// The first segments of a path, and the query, of a request although a segment can't be
    /// decoded: what isn't text in it becomes U+FFFD, and broken escapes stay.
    init(repairing request: Request) {
        let path = request.path.dropFirst().prefix(
            Limits.pathSegments, separatedBy: UInt8(ascii: "/"))
        let query = request.query?.prefix(
            Limits.routedParameters, separatedBy: UInt8(ascii: "&"))
        let components = path.split(separator: UInt8(ascii: "/")).map { segment in
            String(decoding: PercentEncoding.decode(segment), as: UTF8.self)
        }
        let link = Link(components: components, query: Link(path: [], query: query)?.query ?? [])
        self = link.withoutDotSegments
    }
}

extension ArraySlice<UInt8> {
    /// The first parts, of which there are `count` or fewer.
    fileprivate func prefix(_ count: Int, separatedBy separator: UInt8) -> ArraySlice<UInt8> {
        var left = count
        return prefix { byte in
            if byte == separator { left -= 1 }
            return left > 0
        }
    }
}
