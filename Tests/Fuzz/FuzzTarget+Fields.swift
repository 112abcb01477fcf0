// Values of fields: ranges, conditions, codings, proxies' words, dates. What comes out must lie
// within what there is, and must not change with what the grammar says doesn't count.

import Sockets

@testable import HTTP1

extension FuzzTarget {
    /// An input is the value of a Range field.
    static func checkRanges(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let size = choices.one(of: [0, 1, 10, 500, .max])
        let limit = choices.one(of: [3, 16])
        let outcome = ByteRanges.parse(bytes[...], size: size, limit: limit)
        let longer = bytes + [UInt8(ascii: ",")]
        let another = ByteRanges.parse(longer[...], size: size, limit: limit)
        expect(another == outcome, "an empty member counts")
        if case .ranges(let ranges) = outcome { checkRanges(ranges, size: size, limit: limit) }
    }

    private static func checkRanges(_ ranges: [Range<Int>], size: Int, limit: Int) {
        expect((1...limit).contains(ranges.count), "\(ranges.count) ranges of \(limit)")
        for range in ranges {
            expect(!range.isEmpty && range.lowerBound >= 0, "\(range) of \(size) bytes")
            expect(range.upperBound <= size, "\(range) of \(size) bytes")
        }
        let texts = ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }
        let rewritten = Array(("BYTES=" + texts.joined(separator: " , ")).utf8)
        let again = ByteRanges.parse(rewritten[...], size: size, limit: limit)
        expect(again == .ranges(ranges), "rewritten they are others")
    }

    /// An input is a request's field lines, joined by CRLF.
    static func checkConditions(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let method = choices.one(of: ["GET", "HEAD", "PUT", "OPTIONS"])
        guard let request = request(method, bytes) else { return }
        let tag = Array(choices.one(of: ["\"v1\"", "W/\"v1\"", "\"a,b\"", "\"\""]).utf8)
        let modified = choices.one(of: [nil, HTTPDate(unixSeconds: 784_111_777)])
        let now = HTTPDate(unixSeconds: choices.one(of: [0, 784_111_800, 1_795_241_580]))
        let outcome = Preconditions.evaluate(
            request, entityTag: tag, lastModified: modified, now: now)
        let reads = method == "GET" || method == "HEAD"
        expect(outcome != .notModified || reads, "304 for \(method)")
        expect(outcome == .proceed || request.isSelective, "a condition that is not seen")
        expect(outcome == .proceed || method != "OPTIONS", "a condition for OPTIONS")
        let allows = Preconditions.allowsRange(
            request, entityTag: tag, lastModified: modified, now: now)
        expect(!allows || method == "GET", "a range for \(method)")
        for name in [FieldName.ifMatch, .ifNoneMatch] {
            checkTags(request.values(name), tag)
        }
    }

    private static func checkTags(_ values: [ArraySlice<UInt8>], _ tag: [UInt8]) {
        guard !values.isEmpty else { return }
        let tags = EntityTags(values)
        expect(!tags.contains(tag, .strong) || tags.contains(tag, .weak), "strong but not weak")
        guard case .list(let members) = tags else { return }
        expect(members.allSatisfy(EntityTags.isTag), "a member is no tag")
        expect(EntityTags(members) == tags, "lines are no list")
        let joined = Array(members.joined(separator: Array(" ,, ".utf8)))
        expect(EntityTags([joined[...]]) == tags, "joined it is another list")
        let isWeak = tag.first != UInt8(ascii: "\"")
        expect(!isWeak || !tags.contains(tag, .strong), "a weak tag is strong")
    }

    /// An input is the value of an Accept-Encoding field.
    static func checkCodings(_ bytes: [UInt8]) {
        let field = AcceptEncoding([bytes[...]])
        let choice = field.choice(gzipIsSmaller: true)
        let other = field.choice(gzipIsSmaller: false)
        expect(choice == other || (choice == .gzip && other == .identity), "larger is preferred")
        let members = Request.tokens(of: bytes[...])
        for lines in [members, members.reversed()] where !lines.isEmpty {
            let apart = AcceptEncoding(lines)
            expect(apart.choice(gzipIsSmaller: true) == choice, "lines are no list")
            expect(apart.choice(gzipIsSmaller: false) == other, "lines are no list")
        }
        let refusing = AcceptEncoding([bytes[...], Array("*;q=0".utf8)[...]])
        let none = refusing.choice(gzipIsSmaller: true)
        expect(none != .gzip || choice != .none, "a refusal adds a coding")
    }

    /// An input is a request's field lines, joined by CRLF.
    static func checkForwarded(_ bytes: [UInt8]) {
        guard let request = request("GET", bytes) else { return }
        let origin = ForwardedOrigin.resolve(request) { $0 == IPAddress(v4: 0x0A00_0001) }
        expect(origin.port == nil || origin.address != nil, "a port alone")
        if let scheme = origin.scheme { expect(["http", "https"].contains(scheme), scheme) }
        if let host = origin.host { expect(Authority(host[...]) != nil, "a host that is none") }
        // What the client put before the words of proxies changes nothing.
        let names: [(FieldName, String, String)] = [
            (.forwarded, "Forwarded", "for=9.9.9.9;host=x;proto=http"),
            (.forwardedFor, "X-Forwarded-For", "9.9.9.9"),
        ]
        let last = ForwardedOrigin.resolve(request) { _ in false }
        for (name, text, value) in names {
            guard request.values(name).contains(where: { !Request.members(of: $0).isEmpty })
            else { continue }
            let line = Array("\(text): \(value)\r\n".utf8)
            guard let another = Self.request("GET", line + bytes) else { continue }
            let origin = ForwardedOrigin.resolve(another) { _ in false }
            expect(origin.address == last.address, "a client is believed")
        }
    }

    /// A request with these field lines; nil when they are none.
    private static func request(_ method: String, _ fields: [UInt8]) -> Request? {
        var head = Array("\(method) / HTTP/1.1\r\nHost: a\r\n".utf8)
        head += fields
        head += Array("\r\n\r\n".utf8)
        var parser = HeadParser(limits: Limits())
        guard case .done(let request, _) = parser.parse(head.span) else { return nil }
        return request
    }

    /// An input is a date in one of HTTP's three formats.
    static func checkDate(_ bytes: [UInt8]) {
        for now in [0, 1_795_241_580, 253_402_300_799] {
            let now = HTTPDate(unixSeconds: Int64(now))
            guard let date = HTTPDate(bytes, now: now) else { continue }
            // The years 0 to 9999.
            expect(
                (-62_167_219_200...253_402_300_799).contains(date.unixSeconds), "a year too far")
            expect(HTTPDate(date.description.utf8, now: now) == date, "written it is another")
            expect(date.description.utf8.count == 29, "\(date) has no fixed length")
        }
    }
}
