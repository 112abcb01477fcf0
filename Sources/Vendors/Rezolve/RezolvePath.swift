// Where a Rezolve link leads: scheme, host, and the components of its path with their bytes.
//
// Invariant: hosts are compared whole, so that `rzlv.co.evil.example` is not Rezolve's (vendor
// document 4.4). Components are places in the link, still as they were sent.

/// The front of a link, up to its query.
struct RezolvePath {
    /// Whose the link is.
    enum Site: Equatable {
        /// The vendor's host of triggers, or a server that stands in for it.
        case triggers
        /// One of the vendor's hosts of engagements, `instant.{region}.rezolve.com`.
        case engagements
        /// Landfall's own route for callbacks, whose path says nothing about the link.
        case callbacks
        /// Somebody else's.
        case other
    }

    let site: Site

    /// The host in lower case without port; nil for a request target.
    let host: String?

    /// Where each component that isn't empty stands in the link, without `/emulate/rezolve`.
    let components: [Range<Int>]

    /// Reads a URL or a request target, in O(its length).
    init(of link: ArraySlice<UInt8>) {
        let end = link.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let front = link[..<(end ?? link.endIndex)]
        let start: Int
        if front.first == UInt8(ascii: "/") || front.isEmpty {
            host = nil
            start = front.startIndex
        } else if let authority = Self.webAuthority(of: front) {
            host = Self.host(in: front[authority])
            start = authority.upperBound
        } else {
            (host, site, components) = (nil, .other, [])
            return
        }
        var places: [Range<Int>] = []
        for piece in front[start...].split(separator: UInt8(ascii: "/")) {
            places.append(piece.startIndex..<piece.endIndex)
        }
        let first = places.prefix(2).map { String(decoding: link[$0], as: UTF8.self) }
        if first == ["emulate", "rezolve"] {
            (site, components) = (.triggers, Array(places.dropFirst(2)))
        } else if host == nil, first.first == "callbacks" {
            (site, components) = (.callbacks, [])
        } else {
            (site, components) = (host.map(Self.site) ?? .triggers, places)
        }
    }

    /// The act that answers were posted for: `…/submissions/act/{id}/answers`.
    func actID(in link: [UInt8]) -> Range<Int>? {
        let words = components.suffix(4).map { link[$0] }
        guard words.count == 4, words[0].elementsEqual("submissions".utf8),
            words[1].elementsEqual("act".utf8), words[3].elementsEqual("answers".utf8)
        else { return nil }
        return components[components.count - 2]
    }

    /// Whose host it is.
    static func site(of host: String) -> Site {
        if host == "rzlv.co" { return .triggers }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isInstant =
            labels.count == 4 && labels[0] == "instant" && !labels[1].isEmpty
            && labels[2] == "rezolve" && labels[3] == "com"
        return isInstant ? .engagements : .other
    }

    /// Where the authority of an http or https URL stands; nil for another link.
    private static func webAuthority(of front: ArraySlice<UInt8>) -> Range<Int>? {
        for scheme in ["http://", "https://"] where front.count >= scheme.utf8.count {
            let isSame = zip(front, scheme.utf8).allSatisfy { byte, expected in
                (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) == expected
            }
            guard isSame else { continue }
            let start = front.startIndex + scheme.utf8.count
            let end = front[start...].firstIndex(of: UInt8(ascii: "/")) ?? front.endIndex
            return start..<end
        }
        return nil
    }

    /// The host of an authority, without user, port and a dot at the end (RFC 3986 §3.2).
    private static func host(in authority: ArraySlice<UInt8>) -> String {
        var host = authority
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
        if host.first != UInt8(ascii: "["), let colon = host.lastIndex(of: UInt8(ascii: ":")) {
            host = host[..<colon]
        }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        return String(decoding: host, as: UTF8.self).lowercased()
    }
}
