// Addresses, authorities and PROXY headers: what is read and written again is the same, and is what
// the C library reads too.

import Glibc

@testable import HTTP1
@testable import Sockets

extension FuzzTarget {
    /// An input is an IP address, or a block of them in CIDR notation.
    static func checkAddress(_ bytes: [UInt8]) {
        let address = IPAddress(bytes)
        if !bytes.contains(0) {
            expect(systemAddress(bytes) == address, "the system reads another address")
        }
        if let address {
            let text = address.description
            expect(IPAddress(text.utf8) == address, "written as \(text) it is another")
            expect(text.utf8.count <= 39, "\(text) is long")
            expect(AddressBlock(text)?.contains(address) == true, "\(text) is not in its block")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let block = AddressBlock(text) else { return }
        let first = IPAddress(bytes.prefix { $0 != UInt8(ascii: "/") })
        expect(first.map(block.contains) == true, "a block without its first address")
    }

    /// What inet_pton makes of the text, as the parser would say it.
    private static func systemAddress(_ bytes: [UInt8]) -> IPAddress? {
        let text = bytes.map { CChar(bitPattern: $0) } + [0]
        var octets = [UInt8](repeating: 0, count: 16)
        // SAFETY: the text ends in a zero, and 16 octets are room for either family.
        if unsafe inet_pton(AF_INET, text, &octets) == 1 {
            return IPAddress(v4: octets[..<4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        // SAFETY: the same.
        guard unsafe inet_pton(AF_INET6, text, &octets) == 1 else { return nil }
        return IPAddress(
            high: octets[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: octets[8...].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// An input is `host [":" port]`.
    static func checkAuthority(_ bytes: [UInt8]) {
        guard let authority = Authority(bytes[...]) else { return }
        expect(!authority.host.isEmpty, "no host")
        expect(bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "octets that no URI has")
        expect(
            !bytes.contains { "/?#@\"<>\\^`{|}".utf8.contains($0) }, "a delimiter in an authority")
        let hasBrackets = bytes.first == UInt8(ascii: "[")
        var rewritten = hasBrackets ? [UInt8(ascii: "[")] : []
        rewritten += authority.host
        if hasBrackets { rewritten.append(UInt8(ascii: "]")) }
        if let port = authority.port { rewritten += Array(":\(port)".utf8) }
        let again = Authority(rewritten[...])
        expect(again?.host == authority.host, "written again it is another host")
        expect(again?.port == authority.port, "written again it is another port")
    }

    /// An input is the beginning of a connection.
    static func checkProxy(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let whole = ProxyHeader.parse(bytes.span)
        for cut in choices.cuts(of: bytes) {
            let part = ProxyHeader.parse(bytes.span.extracting(0..<cut))
            switch whole {
            case .done(_, let size):
                expect(part == (cut < size ? .incomplete : whole), "cut at \(cut): \(part)")
            case .incomplete: expect(part == .incomplete, "cut at \(cut): \(part)")
            case .malformed:
                if case .done(_, let size) = part { expect(false, "cut at \(cut): \(size) bytes") }
            }
        }
        guard case .done(let source, let size) = whole else { return }
        expect(size <= bytes.count, "\(size) bytes of \(bytes.count)")
        guard case .ip(let address, let port) = source else { return }
        let family = address.isIPv4 ? "TCP4" : "TCP6"
        let line = Array("PROXY \(family) \(address) \(address) \(port) 0\r\n".utf8)
        let again = ProxyHeader.parse(line.span)
        expect(again == .done(source: source, size: line.count), "written as a line it is another")
    }
}
