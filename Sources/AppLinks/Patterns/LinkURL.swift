// The text of a URL, split as RFC 3986 §3 says and before anything is decoded. Left out: resolving
// against a base, dot segments, fragments. URLs without slashes, or with a query but no path, are what
// apps exchange: `scheme:?a=b`, `scheme://?a=b`, `scheme://Name?a=b`.

/// A URL as patterns look at it.
public struct LinkURL: Sendable, Equatable {
    /// What stands before the first `:`, as it is written; nil for a path alone.
    public let scheme: String?

    /// The authority without user and port, percent-decoded, in the case in which it is written; nil
    /// when there is none, or an empty one.
    public let host: String?

    /// The path and the query.
    public let path: Link

    /// What a pattern is matched against: under `http` and `https`, and without a scheme, the path
    /// and the query; under any other scheme the host comes first, as a component (Deeper README).
    public var link: Link {
        guard let host, hasCustomScheme else { return path }
        return Link(components: [host] + path.components, query: path.query)
    }

    /// Splits `text`, then decodes each part once.
    ///
    /// The fragment is ignored, and so are items of the query that can't be decoded.
    ///
    /// - Returns: nil when the host or a component of the path holds a `%` without two hexadecimal
    ///   digits, isn't UTF-8, or holds U+0000.
    /// - Complexity: O(*n*) in the length of `text`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        var rest = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex)]
        scheme = Self.popScheme(of: &rest)
        guard let host = Self.popHost(of: &rest) else { return nil }
        self.host = host.isEmpty ? nil : host
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { rest[($0 + 1)...] }
        guard let path = Link(path: rest[..<(mark ?? rest.endIndex)], query: query) else {
            return nil
        }
        self.path = path
    }

    private var hasCustomScheme: Bool {
        guard let scheme = scheme?.lowercased() else { return false }
        return scheme != "http" && scheme != "https"
    }

    /// Removes a scheme and its colon (RFC 3986 §3.1); nil when what comes first is none.
    private static func popScheme(of rest: inout ArraySlice<UInt8>) -> String? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), let first = rest.first,
            first.isASCIILetter, rest[..<colon].allSatisfy(\.isSchemeCharacter)
        else { return nil }
        defer { rest = rest[(colon + 1)...] }
        return String(decoding: rest[..<colon], as: UTF8.self)
    }

    /// Removes `//` and an authority (RFC 3986 §3.2); empty when there is none, nil when it can't be
    /// decoded.
    private static func popHost(of rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.starts(with: "//".utf8) else { return "" }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        var host = rest[..<(end ?? rest.endIndex)]
        rest = rest[(end ?? rest.endIndex)...]
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
        // The port, not a colon between the brackets of an address.
        if let colon = host.lastIndex(of: UInt8(ascii: ":")),
            !host[colon...].contains(UInt8(ascii: "]"))
        {
            host = host[..<colon]
        }
        return String(percentDecoding: host)
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    fileprivate var isSchemeCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: isASCIILetter
        }
    }
}
