// Reads what trusted proxies report about the client: Forwarded (RFC 7239), or X-Forwarded-For,
// -Proto, -Host. Each proxy appends at the right, so the lists are read from the right, and only as
// far as trusted proxies wrote them. Anything further left comes from the client.
//
// Invariant: an unreadable entry ends the walk with an unknown client, never with an entry further
// left. Left out: `by`, extensions, and whether the direct peer is trusted at all.

import Sockets
import Text

/// The origin of a request that came through trusted proxies, as far as they report it.
struct ForwardedOrigin: Sendable, Equatable {
    /// The client; nil if it isn't named, is obfuscated, or can't be read.
    ///
    /// Nil is an unknown client, not the proxy that forwarded the request.
    var address: IPAddress?

    /// The client's port; only with an address.
    var port: UInt16?

    /// `http` or `https`, as used between the client and the first trusted proxy.
    var scheme: String?

    /// The host, with a port if there was one, that the client requested; a valid authority.
    var host: [UInt8]?

    /// Walks the hops from the right, skipping trusted addresses, up to the client.
    ///
    /// The client is the first address that isn't trusted or can't be read, or the leftmost one if
    /// all are trusted; scheme and host are those of the same hop. If a request has a Forwarded
    /// field, only that is used. The proxies must remove a client's fields of either kind that they
    /// don't write themselves (RFC 7239 §8.1). O(fields).
    ///
    /// - Parameter isTrusted: whether this is the address of a trusted proxy.
    static func resolve(_ request: Request, isTrusted: (IPAddress) -> Bool) -> ForwardedOrigin {
        let lines = request.values(.forwarded)
        return lines.isEmpty
            ? resolveSeparateFields(of: request, isTrusted)
            : resolve(lines.flatMap(Request.members), isTrusted)
    }

    /// Parses the elements of Forwarded (RFC 7239 §4).
    private static func resolve(
        _ elements: [ArraySlice<UInt8>], _ isTrusted: (IPAddress) -> Bool
    ) -> ForwardedOrigin {
        var origin = ForwardedOrigin()
        for element in elements.reversed() {
            origin = ForwardedOrigin()
            guard let parameters = parameters(of: element) else { break }
            if let node = parameters[Array("for".utf8)].flatMap({ node($0[...]) }) {
                (origin.address, origin.port) = node
            }
            origin.scheme = parameters[Array("proto".utf8)].flatMap { scheme($0[...]) }
            origin.host = parameters[Array("host".utf8)].flatMap { host($0[...]) }
            guard let address = origin.address, isTrusted(address) else { break }
        }
        return origin
    }

    /// Parses the X-Forwarded fields, which are parallel lists.
    ///
    /// The hop's scheme and host are at the same distance from the right as its address. If a list
    /// is shorter, because a proxy sets it instead of appending to it, its first member is used.
    private static func resolveSeparateFields(
        of request: Request, _ isTrusted: (IPAddress) -> Bool
    ) -> ForwardedOrigin {
        var origin = ForwardedOrigin()
        var distance = 0
        for (index, hop) in members(.forwardedFor, request).reversed().enumerated() {
            distance = index
            // Here an IPv6 address without a port has no brackets.
            let node: Node? = IPAddress(hop).map { ($0, nil) } ?? node(hop)
            (origin.address, origin.port) = (node?.address, node?.port)
            guard let address = origin.address, isTrusted(address) else { break }
        }
        func member(_ name: FieldName) -> ArraySlice<UInt8>? {
            let members = members(name, request)
            return members.dropLast(distance).last ?? members.first
        }
        origin.scheme = member(.forwardedProto).flatMap(scheme)
        origin.host = member(.forwardedHost).flatMap(host)
        return origin
    }

    private static func members(
        _ name: FieldName, _ request: Request
    ) -> [ArraySlice<UInt8>] {
        request.values(name).flatMap(Request.tokens)
    }

    /// Parses `[ pair ] *( ";" [ pair ] )`; blanks beside the semicolons are allowed.
    ///
    /// Nil for anything else, and if a name occurs twice (RFC 7239 §4). Returns names in lowercase,
    /// and values without quotes. O(size).
    private static func parameters(of element: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]]? {
        let semicolon = UInt8(ascii: ";")
        var parameters: [[UInt8]: [UInt8]] = [:]
        var rest = element.drop { $0.isBlank || $0 == semicolon }
        while !rest.isEmpty {
            let name = rest.prefix(while: OctetSet.token.contains)
            let tail = rest[name.endIndex...]
            guard !name.isEmpty, tail.first == UInt8(ascii: "="),
                let (value, end) = value(tail.dropFirst()),
                parameters.updateValue(value, forKey: name.map(\.lowercased)) == nil
            else { return nil }
            rest = rest[end...].drop(while: \.isBlank)
            guard rest.isEmpty || rest.first == semicolon else { return nil }
            rest = rest.drop { $0.isBlank || $0 == semicolon }
        }
        return parameters
    }

    /// The token or quoted string (RFC 9110 §5.6.4) at the beginning of `text`, and where it ends.
    private static func value(_ text: ArraySlice<UInt8>) -> (value: [UInt8], end: Int)? {
        guard text.first == UInt8(ascii: "\"") else {
            let token = text.prefix(while: OctetSet.token.contains)
            return token.isEmpty ? nil : (Array(token), token.endIndex)
        }
        var value: [UInt8] = []
        var isEscaped = false
        for index in text.indices.dropFirst() {
            let octet = text[index]
            if isEscaped {
                value.append(octet)
                isEscaped = false
            } else if octet == UInt8(ascii: "\"") {
                return (value, index + 1)
            } else if octet == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                value.append(octet)
            }
        }
        return nil
    }

    private typealias Node = (address: IPAddress, port: UInt16?)

    /// Parses `nodename [ ":" node-port ]` (RFC 7239 §6); nil for `unknown`, for an obfuscated name
    /// and for anything else.
    private static func node(_ text: ArraySlice<UInt8>) -> Node? {
        let name: ArraySlice<UInt8>
        let rest: ArraySlice<UInt8>
        if text.first == UInt8(ascii: "[") {
            name = text.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            guard name.contains(UInt8(ascii: ":")), name.endIndex < text.endIndex else {
                return nil
            }
            rest = text[(name.endIndex + 1)...]
        } else {
            name = text.prefix { $0 != UInt8(ascii: ":") }
            rest = text[name.endIndex...]
        }
        guard let address = IPAddress(name) else { return nil }
        if rest.isEmpty { return (address, nil) }
        let port = rest.dropFirst()
        guard rest.first == UInt8(ascii: ":") else { return nil }
        // An obfuscated port hides the port, not the address.
        if port.first == UInt8(ascii: "_") {
            let hidden = port.dropFirst()
            return !hidden.isEmpty && hidden.allSatisfy(isObfuscated) ? (address, nil) : nil
        }
        guard (1...5).contains(port.count), port.allSatisfy(\.isDigit),
            let number = UInt16(exactly: port.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        else { return nil }
        return (address, number)
    }

    /// Whether an octet is allowed after the underscore of an obfuscated port (RFC 7239 §6.3).
    private static func isObfuscated(_ octet: UInt8) -> Bool {
        octet.isDigit || octet.lowercased &- 0x61 < 26 || "._-".utf8.contains(octet)
    }

    /// Schemes are case-insensitive (RFC 3986 §3.1).
    private static func scheme(_ text: ArraySlice<UInt8>) -> String? {
        ["http", "https"].first { text.equalsIgnoringCase($0.utf8) }
    }

    private static func host(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        Authority(text) == nil ? nil : Array(text)
    }
}
