// A URL as written, split but neither decoded nor corrected. Decisions about links compare the
// original text, which the platforms' URL types would re-encode.

/// The parts of a URL, as written (RFC 3986 §3, appendix B).
///
/// Every text can be split; missing parts are nil.
public struct LinkURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL's UTF-8, unchanged.
    package let bytes: [UInt8]

    private let schemeEnd: Int?
    private let hostRange: Range<Int>?
    private let portRange: Range<Int>?

    /// The path's range in the URL's UTF-8.
    package let pathRange: Range<Int>
    /// The query's range in the URL's UTF-8, without `?`.
    package let queryRange: Range<Int>?
    /// The fragment's range in the URL's UTF-8, without `#`.
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

    /// The scheme without its colon; nil if absent.
    public var scheme: String? { schemeEnd.map { text(0..<$0) } }

    /// The host without user and port; nil if there is no `//`, and empty if nothing follows it.
    public var host: String? { hostRange.map(text) }

    /// The host as servers compare it: in lowercase, without the dot at the end of a rooted name.
    package var serverName: String? {
        guard let host = host?.lowercased() else { return nil }
        return host.count > 1 && host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// The port's digits; nil if there are none.
    public var port: String? { portRange.map(text) }

    /// Host and port as written, without the user; nil without a host.
    package var authority: String? { host.map { $0 + (port.map { ":\($0)" } ?? "") } }

    /// The path; empty if there is nothing between the host and the query.
    public var path: String { text(pathRange) }

    /// The text after the first `?` up to the fragment; nil if absent.
    public var query: String? { queryRange.map(text) }

    /// The text after the first `#`; nil if absent.
    public var fragment: String? { fragmentRange.map(text) }

    /// The URL as written.
    public var description: String { text(bytes.indices) }

    /// Whether the scheme is `https` or `http`, as universal links require.
    public var isWebLink: Bool {
        guard let scheme = scheme?.lowercased() else { return false }
        return scheme == "https" || scheme == "http"
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The position of the scheme's colon; nil if no valid scheme precedes one (RFC 3986 §3.1).
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

    /// The host and the port of an authority.
    ///
    /// The host begins after the last `@`, the port after the last colon that isn't part of an IPv6
    /// address (RFC 3986 §3.2).
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
