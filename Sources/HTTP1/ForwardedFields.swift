// What trusted proxies say of the client: Forwarded (RFC 7239), or X-Forwarded-For, -Proto, -Host.
// Each proxy adds at the right, so the lists are read from there, and only as far as trusted ones
// wrote them: what stands further left is the client's own word.
//
// Invariant: what can't be read ends the walk with an unknown client, never with a further one.
// Left out: `by`, extensions, and whether the direct peer is trusted at all.

import Sockets
import Text

/// Where a request that came through trusted proxies began, as far as they say.
struct ForwardedOrigin: Sendable, Equatable {
    /// The client; nil when it isn't named, hides, or is named in a way that can't be read.
    ///
    /// Nil is an unknown client, and not the proxy that passed the request on.
    var address: IPAddress?

    /// The client's port; only with an address.
    var port: UInt16?

    /// `http` or `https`, as the client spoke with the first trusted proxy.
    var scheme: String?

    /// The host, with a port where there was one, that the client asked for; a valid authority.
    var host: [UInt8]?

    /// Walks the hops from the right, skipping trusted addresses, up to the client.
    ///
    /// The client is the first address that isn't trusted or can't be read, or the farthest one
    /// when all are trusted; scheme and host are those of the same hop. A request with a Forwarded
    /// field is read by that alone: the proxies must remove a client's fields of either kind that
    /// they don't write themselves (RFC 7239 §8.1). O(fields).
    ///
    /// - Parameter isTrusted: whether a proxy has this address.
    static func resolve(_ request: Request, isTrusted: (IPAddress) -> Bool) -> ForwardedOrigin {
        let lines = request.values(.forwarded)
        return lines.isEmpty
            ? resolveSeparateFields(of: request, isTrusted)
            : resolve(lines.flatMap(Request.members), isTrusted)
    }

    /// Reads the elements of Forwarded (RFC 7239 §4).
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

    /// Reads the X-Forwarded fields, which are lists side by side.
    ///
    /// The hop's scheme and host stand as far from the right as its address; where a list is
    /// shorter, because a proxy sets it and doesn't add to it, its first member counts.
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

    /// Reads `[ pair ] *( ";" [ pair ] )`, with blanks beside the semicolons let through.
    ///
    /// Nil for anything else, and when a name comes twice (RFC 7239 §4). Names in lower case,
    /// values without quotes. O(size).
    private static func parameters(of element: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]]? {
        let semicolon = UInt8(ascii: ";")
        var parameters: [[UInt8]: [UInt8]] = [:]
        var rest = element.drop { $0.isBlank || $0 == semicolon }
        while !rest.isEmpty {
            let name = rest.prefix(while: OctetSet.token.contains)
            let behind = rest[name.endIndex...]
            guard !name.isEmpty, behind.first == UInt8(ascii: "="),
                let (value, end) = value(behind.dropFirst()),
                parameters.updateValue(value, forKey: name.map(\.lowercased)) == nil
            else { return nil }
            rest = rest[end...].drop(while: \.isBlank)
            guard rest.isEmpty || rest.first == semicolon else { return nil }
            rest = rest.drop { $0.isBlank || $0 == semicolon }
        }
        return parameters
    }

    /// The token or quoted string (RFC 9110 §5.6.4) that `text` begins with, and where it ends.
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

    /// Reads `nodename [ ":" node-port ]` (RFC 7239 §6); nil for `unknown`, for an obfuscated name
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
        // An obfuscated port hides the port, and not the address.
        if port.first == UInt8(ascii: "_") {
            let hidden = port.dropFirst()
            return !hidden.isEmpty && hidden.allSatisfy(isObfuscated) ? (address, nil) : nil
        }
        guard (1...5).contains(port.count), port.allSatisfy(\.isDigit),
            let number = UInt16(exactly: port.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        else { return nil }
        return (address, number)
    }

    /// What stands behind the underscore of an obfuscated port (RFC 7239 §6.3).
    private static func isObfuscated(_ octet: UInt8) -> Bool {
        octet.isDigit || octet.lowercased &- 0x61 < 26 || "._-".utf8.contains(octet)
    }

    /// Schemes have no case (RFC 3986 §3.1).
    private static func scheme(_ text: ArraySlice<UInt8>) -> String? {
        ["http", "https"].first { text.equalsIgnoringCase($0.utf8) }
    }

    private static func host(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        Authority(text) == nil ? nil : Array(text)
    }
}
