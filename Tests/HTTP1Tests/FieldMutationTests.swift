// Three hundred thousand damaged field values and PROXY headers: none may trap, and what is true of
// every value must be true of them. Failures print the bytes, and the seed makes them come again.

import Mutations
import Sockets
import Testing

@testable import HTTP1

/// A parser of one kind of value, with values to damage and what must hold for any.
enum FieldParser: UInt64, CaseIterable, Sendable {
    case acceptEncoding
    case byteRanges
    case entityTags
    case preconditions
    case proxyHeader
    case forwarded

    var corpus: [[UInt8]] {
        switch self {
        case .acceptEncoding:
            Self.octets([
                "gzip, deflate;q=0.5, br", "*;q=0, identity;q=0.001", "x-gzip;q=1.000,\tgzip;q=0",
                "identity;q=0, *;q=0.5", "gzip ; q=0.3, identity",
            ])
        case .byteRanges:
            Self.octets([
                "bytes=0-9", "bytes=-5, 3-, ,7-7", "bytes=18446744073709551616-", "bytes=0-0,-1",
                "bytes=9223372036854775806-9223372036854775807", "items=1-2",
            ])
        case .entityTags:
            Self.octets([
                "\"v1\"", "W/\"v1\", \"a,b\"", "*", "\"a\\\" ,, W/\"\"", "\"a b\",\t\"c\"", "",
            ])
        case .preconditions:
            Self.octets([
                "\"v1\"", "W/\"v1\", \"a,b\"", "*", "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            ])
        case .proxyHeader:
            Self.octets([
                "PROXY TCP4 192.0.2.1 192.0.2.2 51512 443\r\nGET", "PROXY UNKNOWN a b c\r\n",
                "PROXY TCP6 2001:db8::1 ::ffff:10.0.0.1 0 65535\r\n",
                "\r\n\r\n\0\r\nQUIT\n\u{21}\u{11}\0\u{0C}ABCDEFGHIJKLGET / HTTP/1.1",
                "\r\n\r\n\0\r\nQUIT\n\u{20}\0\0\0",
                "\r\n\r\n\0\r\nQUIT\n\u{21}\u{12}\0\u{10}"
                    + "ABCDEFGHIJKL\u{4}\0\u{1}a",
                "\r\n\r\n\0\r\nQUIT\n\u{21}\u{21}\0\u{24}ABCDEFGHIJKLMNOPabcdefghijklmnop0123",
            ])
        case .forwarded:
            Self.octets([
                "for=192.0.2.60;proto=http;by=203.0.113.43", "for=\"[2001:db8::17]:4711\"",
                "for=1.2.3.4, for=\"10.0.0.1:_x\";host=\"a:80\"", "1.2.3.4, [::1]:80, 10.0.0.1",
                "for=unknown;a=\"\\\",;\";proto=HTTPS", "https, http", "b.example:8080",
            ])
        }
    }

    private static func octets(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    /// What is wrong with the way in which `bytes` are read; nil when nothing is.
    func fault(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> String? {
        switch self {
        case .acceptEncoding: Self.acceptEncodingFault(bytes)
        case .byteRanges: Self.byteRangesFault(bytes, &generator)
        case .entityTags: Self.entityTagsFault(bytes)
        case .preconditions: Self.preconditionsFault(bytes, &generator)
        case .proxyHeader: Self.proxyHeaderFault(bytes, &generator)
        case .forwarded: Self.forwardedFault(bytes, &generator)
        }
    }

    private static func acceptEncodingFault(_ bytes: [UInt8]) -> String? {
        let field = AcceptEncoding([bytes[...]])
        let choices = [field.choice(gzipIsSmaller: true), field.choice(gzipIsSmaller: false)]
        if choices[0] != choices[1], choices != [.gzip, .identity] { return "larger is preferred" }
        let lines = bytes.split(separator: UInt8(ascii: ","))
        let apart = AcceptEncoding(lines.isEmpty ? [[]] : lines)
        return apart.choice(gzipIsSmaller: true) == choices[0] ? nil : "lines are no list"
    }

    private static func byteRangesFault(
        _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) -> String? {
        let size = [0, 1, 10, .max][generator.below(4)]
        let outcome = ByteRanges.parse(bytes[...], size: size, limit: 3)
        if case .ranges(let ranges) = outcome {
            guard (1...3).contains(ranges.count) else { return "\(ranges.count) ranges" }
            for range in ranges where range.isEmpty || range.upperBound > size {
                return "\(range) of \(size) bytes"
            }
        }
        let longer = bytes + [UInt8(ascii: ",")]
        let another = ByteRanges.parse(longer[...], size: size, limit: 3)
        return another == outcome ? nil : "an empty member counts"
    }

    private static func entityTagsFault(_ bytes: [UInt8]) -> String? {
        let tags = EntityTags([bytes[...]])
        let tag = Array("\"v1\"".utf8)
        if tags.contains(tag, .strong), !tags.contains(tag, .weak) { return "strong but not weak" }
        guard case .list(let members) = tags else { return nil }
        guard members.allSatisfy(EntityTags.isTag) else { return "a member is no tag" }
        return EntityTags(members) == tags ? nil : "lines are no list"
    }

    private static func preconditionsFault(
        _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) -> String? {
        let names = [
            "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
        ]
        let method = ["GET", "HEAD", "PUT"][generator.below(3)]
        let fields = [(names[generator.below(5)], bytes), (names[generator.below(5)], bytes)]
        guard let request = request(method, fields) else { return "the head is refused" }
        let tag = Array("\"v1\"".utf8)
        let date = HTTPDate(unixSeconds: 784_111_777)
        let now = HTTPDate(unixSeconds: 1_795_241_580)
        let outcome = Preconditions.evaluate(
            request, entityTag: tag, lastModified: date, now: now)
        if outcome == .notModified, method == "PUT" { return "304 for PUT" }
        let allowsRange = Preconditions.allowsRange(
            request, entityTag: tag, lastModified: date, now: now)
        return allowsRange && method != "GET" ? "a range for \(method)" : nil
    }

    private static func proxyHeaderFault(
        _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) -> String? {
        let cut = generator.below(bytes.count + 1)
        let whole = ProxyHeader.parse(bytes.span)
        let part = ProxyHeader.parse(Array(bytes[..<cut]).span)
        switch whole {
        case .done(_, let size):
            guard size <= bytes.count else { return "\(size) bytes of \(bytes.count)" }
            return part == (cut < size ? .incomplete : whole) ? nil : "cut at \(cut): \(part)"
        case .incomplete: return part == .incomplete ? nil : "cut at \(cut): \(part)"
        case .malformed:
            if case .done(_, let size) = part { return "cut at \(cut): done at \(size)" }
            return nil
        }
    }

    private static func forwardedFault(
        _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) -> String? {
        let names = [
            "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "forwarded",
        ]
        let name = names[generator.below(5)]
        let fields = [(name, bytes), (names[1 + generator.below(3)], bytes)]
        guard let request = request("GET", fields) else { return "the head is refused" }
        let origin = ForwardedOrigin.resolve(request) { $0 == IPAddress(v4: 0x0A00_0001) }
        if origin.port != nil, origin.address == nil { return "a port alone" }
        if let scheme = origin.scheme, !["http", "https"].contains(scheme) { return scheme }
        if let host = origin.host, Authority(host[...]) == nil { return "no host: \(text(host))" }
        // A line that the client put before those of proxies changes nothing.
        guard name.count == 9, let line = request.first(.forwarded),
            !Request.members(of: line).isEmpty,
            let another = Self.request("GET", [("Forwarded", Array("for=9.9.9.9".utf8))] + fields)
        else { return nil }
        let last = ForwardedOrigin.resolve(request) { _ in false }
        return ForwardedOrigin.resolve(another) { _ in false } == last
            ? nil : "a client is believed"
    }

    /// A request with fields whose values went through the head's parser: without controls.
    private static func request(
        _ method: String, _ fields: [(name: String, value: [UInt8])]
    ) -> Request? {
        var head = Array("\(method) / HTTP/1.1\r\nHost: a\r\n".utf8)
        for field in fields {
            let value = field.value.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? 0x20 : $0 }
            head += Array(field.name.utf8) + [0x3A] + value + [0x0D, 0x0A]
        }
        head += [0x0D, 0x0A]
        var parser = HeadParser(limits: Limits())
        guard case .done(let request, _) = parser.parse(head.span) else { return nil }
        return request
    }
}

struct FieldMutationTests {
    private static let mutations = 50_000

    @Test("a damaged value never traps, and holds to the rules", arguments: FieldParser.allCases)
    func damaged(_ parser: FieldParser) async {
        var generator = SeededGenerator(seed: 50 + parser.rawValue)
        let corpus = parser.corpus
        for round in 0..<Self.mutations {
            let original = corpus[generator.below(corpus.count)]
            let other = corpus[generator.below(corpus.count)]
            let bytes = generator.mutation(of: original, with: other)
            if let fault = parser.fault(bytes, &generator) {
                Issue.record("\(fault): \(text(bytes).debugDescription)")
                return
            }
            if round.isMultiple(of: 200) { await Task.yield() }
        }
    }
}
