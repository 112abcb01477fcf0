// The target of a Rezolve link: scheme, host, and the components of its path with their offsets.
//
// Invariant: hosts are compared whole, so that `rzlv.co.evil.example` is not Rezolve's (vendor
// document 4.4). Components are ranges in the link, still raw.

import Text

/// The front of a link, up to its query.
struct RezolvePath {
    /// The owner of the link's host.
    enum Site: Equatable {
        /// The vendor's host for triggers; for a request target, the requested host.
        case triggers
        /// One of the vendor's hosts for engagements, `instant.{region}.rezolve.com`.
        case engagements(region: String)
        /// Landfall's sandbox, which serves the vendor's paths under `/emulate/rezolve` on any
        /// host.
        case sandbox
        /// Landfall's own route for callbacks; the path contains nothing of the link.
        case callbacks
        /// Any other host.
        case other
    }

    let site: Site

    /// The host in lower case without port; nil for a request target, and without `//`.
    let host: String?

    /// The range of userinfo with its `@` in the authority; nil if absent.
    let userInfo: Range<Int>?

    /// The position of a backslash, a space or a control character in the authority, which readers
    /// interpret differently; nil if absent.
    let strayCharacter: Int?

    /// The ranges of the components in the link, without `/emulate/rezolve`.
    ///
    /// A component may be empty, so that one that was left out doesn't move those after it; a slash
    /// at the end begins none.
    let components: [Range<Int>]

    /// Parses a URL or a request target, in O(its length).
    init(of link: ArraySlice<UInt8>) {
        let end = link.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let front = link[..<(end ?? link.endIndex)]
        var authority: Authority?
        if front.first != UInt8(ascii: "/"), !front.isEmpty {
            authority = Authority(of: front)
            if authority == nil {
                (host, userInfo, strayCharacter) = (nil, nil, nil)
                (site, components) = (.other, [])
                return
            }
        }
        host = authority?.host
        userInfo = authority?.userInfo
        strayCharacter = authority?.strayCharacter
        let path = front[(authority?.end ?? front.startIndex)...]
        let places = Self.components(of: path)
        let first = places.prefix(2).map { String(decoding: link[$0], as: UTF8.self) }
        if first == ["emulate", "rezolve"] {
            (site, components) = (.sandbox, Array(places.dropFirst(2)))
        } else if authority == nil, first.first == ReceiverPath.root {
            (site, components) = (.callbacks, [])
        } else {
            (site, components) = (authority?.site ?? .triggers, places)
        }
    }

    /// The region of a host for engagements, given in lower case without port; nil for other hosts.
    static func region(ofHost host: String) -> String? {
        let (start, end) = ("instant.", ".rezolve.com")
        guard host.utf8.starts(with: start.utf8), host.hasSuffix(end) else { return nil }
        let region = String(host.dropFirst(start.count).dropLast(end.count))
        return RezolveForm.isRegion(region) ? region : nil
    }

    private static func components(of path: ArraySlice<UInt8>) -> [Range<Int>] {
        let rest = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
        var places = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { $0.startIndex..<$0.endIndex }
        if places.last?.isEmpty == true { places.removeLast() }
        return places
    }

    /// The parameters of such a link that are Landfall's and not the vendor's.
    ///
    /// `scenario` is one only for requests to the sandbox.
    var ownParameters: [String] {
        let isAsked = site == .sandbox || (site == .triggers && host == nil)
        return [FlowID.parameter] + (isAsked ? ["scenario"] : [])
    }

    /// The act that answers were posted for: `…/submissions/act/{id}/answers`.
    func actID(in link: [UInt8]) -> Range<Int>? {
        let words = components.suffix(4).map { link[$0] }
        guard words.count == 4, words[0].elementsEqual("submissions".utf8),
            words[1].elementsEqual("act".utf8), !words[2].isEmpty,
            words[3].elementsEqual("answers".utf8)
        else { return nil }
        return components[components.count - 2]
    }
}

/// The authority of an http or https URL (RFC 3986 §3.2).
private struct Authority {
    let host: String
    let userInfo: Range<Int>?
    let strayCharacter: Int?
    /// Where the path begins.
    let end: Int

    /// Reads the authority of a link; nil for another scheme.
    init?(of front: ArraySlice<UInt8>) {
        guard let start = Self.start(in: front) else { return nil }
        end = front[start...].firstIndex(of: UInt8(ascii: "/")) ?? front.endIndex
        strayCharacter = front[start..<end].firstIndex {
            $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\")
        }
        var host = front[start..<(strayCharacter ?? end)]
        let at = host.lastIndex(of: UInt8(ascii: "@"))
        userInfo = at.map { start..<$0 + 1 }
        if let at { host = host[(at + 1)...] }
        if host.first != UInt8(ascii: "["), let colon = host.lastIndex(of: UInt8(ascii: ":")) {
            host = host[..<colon]
        }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        self.host = String(decoding: host, as: UTF8.self).lowercased()
    }

    /// The owner of the host; `other` if readers would interpret it differently.
    var site: RezolvePath.Site {
        if strayCharacter != nil { return .other }
        if host == "rzlv.co" { return .triggers }
        return RezolvePath.region(ofHost: host).map(RezolvePath.Site.engagements) ?? .other
    }

    private static func start(in front: ArraySlice<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] where front.count >= scheme.utf8.count {
            let isSame = zip(front, scheme.utf8).allSatisfy { $0.lowercased == $1 }
            if isSame { return front.startIndex + scheme.utf8.count }
        }
        return nil
    }
}
