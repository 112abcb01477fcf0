// A URL as it was written, split but neither decoded nor corrected: whoever decides about links
// compares what stands there, and URL types of the platforms re-encode it.

/// The parts of a URL, as they were written (RFC 3986 §3, appendix B).
///
/// Every text can be split; what has no scheme or no host says so.
public struct LinkURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL's UTF-8, unchanged.
    let bytes: [UInt8]

    private let schemeEnd: Int?
    private let hostRange: Range<Int>?
    private let portRange: Range<Int>?

    /// Where the path stands in the URL's UTF-8.
    package let pathRange: Range<Int>
    /// Where the query stands in the URL's UTF-8, without `?`.
    package let queryRange: Range<Int>?
    /// Where the fragment stands in the URL's UTF-8, without `#`.
    package let fragmentRange: Range<Int>?

    /// Splits `text`, in O(length).
    public init(_ text: String) {
        self.init(utf8: Array(text.utf8))
    }

    /// Splits the URL that is `bytes`, in O(length).
    public init(utf8 bytes: [UInt8]) {
        self.bytes = bytes
        var end = bytes.count
        var start = 0
        if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
            fragmentRange = hash + 1..<end
            end = hash
        } else {
            fragmentRange = nil
        }
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            queryRange = mark + 1..<end
            end = mark
        } else {
            queryRange = nil
        }
        schemeEnd = Self.schemeEnd(in: bytes[..<end])
        if let schemeEnd { start = schemeEnd + 1 }
        if bytes[start..<end].starts(with: "//".utf8) {
            let authority = start + 2
            start = bytes[authority..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            (hostRange, portRange) = Self.hostAndPort(in: bytes, authority..<start)
        } else {
            (hostRange, portRange) = (nil, nil)
        }
        pathRange = start..<end
    }

    /// The scheme without its colon; nil when there is none.
    public var scheme: String? { schemeEnd.map { text(0..<$0) } }

    /// The host without user and port; nil when there is no `//`, and empty when nothing follows it.
    public var host: String? { hostRange.map(text) }

    /// The port's digits; nil when there are none.
    public var port: String? { portRange.map(text) }

    /// The path; empty when nothing stands between the host and the query.
    public var path: String { text(pathRange) }

    /// What follows the first `?`; nil when there is none.
    public var query: String? { queryRange.map(text) }

    /// What follows the first `#`; nil when there is none.
    public var fragment: String? { fragmentRange.map(text) }

    /// The URL as it was written.
    public var description: String { text(bytes.indices) }

    /// Whether the scheme is one of those that universal links have.
    public var isWebLink: Bool {
        guard let scheme = scheme?.lowercased() else { return false }
        return scheme == "https" || scheme == "http"
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where the scheme's colon stands; nil when no valid scheme precedes one (RFC 3986 §3.1).
    private static func schemeEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        for (index, byte) in zip(bytes.indices, bytes) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                if index == bytes.startIndex { return nil }
            case UInt8(ascii: ":"):
                return index == bytes.startIndex ? nil : index
            default:
                return nil
            }
        }
        return nil
    }

    /// The host and the port of an authority: behind the last `@`, the port behind the last colon
    /// that is not an IPv6 address's own (RFC 3986 §3.2).
    private static func hostAndPort(
        in bytes: [UInt8], _ authority: Range<Int>
    ) -> (host: Range<Int>, port: Range<Int>?) {
        let host: Range<Int>
        if let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) {
            host = at + 1..<authority.upperBound
        } else {
            host = authority
        }
        let bracket = bytes[host].lastIndex(of: UInt8(ascii: "]")) ?? host.lowerBound
        guard let colon = bytes[bracket..<host.upperBound].lastIndex(of: UInt8(ascii: ":"))
        else { return (host, nil) }
        let port = colon + 1..<host.upperBound
        return (host.lowerBound..<colon, port.isEmpty ? nil : port)
    }
}
