// A resource in memory as its clients see it: which form, whole or in parts, or not at all. The
// grammars of the fields are tested with their parsers. Answers are looked at as values; that HEAD
// has no content is the connection's rule.

import Gzip
import Testing

@testable import HTTP1

struct StaticResourceTests {
    private static let content = Array(String(repeating: "content ", count: 20).utf8)

    private static let resource = StaticResource(
        content, contentType: "text/plain", entityTag: "\"v1\"",
        lastModified: HTTPDate(unixSeconds: 784_111_777),
        fields: [("Cache-Control", "no-cache"), ("expires", "0"), ("X-Own", "a")])

    /// An answer, a refusal's too, as its status and its fields by name.
    private struct Answer {
        var status = 0
        var fields: [String: String] = [:]
        var body: [UInt8] = []
    }

    private static func answer(
        _ fields: [String], method: String = "GET", _ resource: StaticResource = resource
    ) throws -> Answer {
        let request = try Request(lines: ["\(method) / HTTP/1.1", "Host: a"] + fields)
        var answer = Answer()
        do throws(Refusal) {
            let response = try resource.respond(to: request)
            answer.status = response.status.code
            answer.body = response.body
            for line in text(response.fieldLines).split(separator: "\r\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let name = String(line[..<colon])
                #expect(answer.fields[name] == nil, "\(name) is there twice")
                answer.fields[name] = String(line[colon...].dropFirst(2))
            }
        } catch {
            answer.status = error.status.code
            if let field = error.field { answer.fields[field.name] = field.value }
        }
        return answer
    }

    // MARK: Conditions

    @Test(
        "RFC 9110 §13.1.2: If-None-Match compares weakly",
        arguments: [
            ([], 200), (["\"v1\""], 304), (["W/\"v1\""], 304), (["*"], 304), (["\"v2\""], 200),
            (["\"v2\", \"v1\""], 304), (["\"v2\"", "W/\"v1\""], 304), (["\"a, b\", \"v1\""], 304),
            ([", ,\"v1\""], 304), (["v1"], 200), (["\"V1\""], 200), (["w/\"v1\""], 200),
            ([""], 200), (["\"v1"], 200),
        ] as [([String], Int)])
    func ifNoneMatch(_ values: [String], _ status: Int) throws {
        let answer = try Self.answer(values.map { "If-None-Match: \($0)" })
        #expect(answer.status == status)
        #expect(answer.body == (status == 200 ? Self.content : []))
    }

    @Test(
        "RFC 9110 §13.1.1: If-Match compares strongly",
        arguments: [
            ("\"v1\"", 200), ("*", 200), ("\"v2\", \"v1\"", 200), ("W/\"v1\"", 412),
            ("\"v2\"", 412), ("\"v2\", W/\"v1\"", 412), ("v1", 412), ("\"v1\"x", 412),
        ])
    func ifMatch(_ value: String, _ status: Int) throws {
        #expect(try Self.answer(["If-Match: \(value)"]).status == status)
    }

    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "RFC 9110 §13.2.2: conditions are looked at in their order",
        arguments: [
            (["If-None-Match: \"v1\"", "If-Match: \"v2\""], 412),
            (["If-None-Match: \"v1\"", "If-Match: \"v1\""], 304),
            (["If-Unmodified-Since: \(before)"], 412),
            (["If-Unmodified-Since: \(before)", "If-Match: \"v1\""], 200),
            (["If-Modified-Since: \(same)"], 304),
            (["If-Modified-Since: \(before)"], 200),
            (["If-Modified-Since: \(same)", "If-None-Match: \"v2\""], 200),
            (["If-Modified-Since: yesterday", "If-Unmodified-Since: never"], 200),
            (["If-None-Match: \"v1\"", "Range: bytes=0-1"], 304),
            (["If-Match: \"v2\"", "Range: bytes=999-"], 412),
        ])
    func order(_ fields: [String], _ status: Int) throws {
        #expect(try Self.answer(fields).status == status)
    }

    @Test("RFC 9110 §15.4.5: 304 repeats ETag and what caches need, and nothing else")
    func notModifiedFields() throws {
        let answer = try Self.answer(["If-None-Match: *"])
        #expect(
            answer.fields == [
                "Cache-Control": "no-cache", "expires": "0", "Vary": "Accept-Encoding",
                "ETag": "\"v1\"",
            ])
    }

    // MARK: Codings

    @Test("RFC 9110 §8.8.3.3: each form has its own tag, and says that it depends on the request")
    func forms() throws {
        let plain = try Self.answer([])
        #expect(plain.body == Self.content)
        #expect(plain.fields["ETag"] == "\"v1\"")
        #expect(plain.fields["Content-Encoding"] == nil)
        #expect(plain.fields["Vary"] == "Accept-Encoding")
        let coded = try Self.answer(["Accept-Encoding: gzip"])
        #expect(coded.fields["ETag"] == "\"v1-gzip\"")
        #expect(coded.fields["Content-Encoding"] == "gzip")
        #expect(coded.fields["Vary"] == "Accept-Encoding")
        #expect(coded.body.count < Self.content.count)
        var inflater = Inflater(limit: 1_000)
        var inflated: [UInt8] = []
        try inflater.inflate(coded.body, into: &inflated)
        try inflater.finish()
        #expect(inflated == Self.content)
    }

    @Test(
        "RFC 9110 §13.1.2: a tag is compared with that of the form that would be sent",
        arguments: [
            ("gzip", "\"v1-gzip\"", 304), ("gzip", "\"v1\"", 200), ("identity", "\"v1\"", 304),
        ])
    func tagOfForm(_ coding: String, _ tag: String, _ status: Int) throws {
        let fields = ["Accept-Encoding: \(coding)", "If-None-Match: \(tag)"]
        #expect(try Self.answer(fields).status == status)
    }

    @Test("RFC 9110 §15.5.7: a client that takes no form gets none")
    func notAcceptable() throws {
        #expect(try Self.answer(["Accept-Encoding: identity;q=0"]).status == 406)
        #expect(try Self.answer(["Accept-Encoding: *;q=0, gzip"]).fields["ETag"] == "\"v1-gzip\"")
    }

    @Test("what is compressed already has one form, whatever is asked for")
    func incompressible() throws {
        let image = StaticResource([1, 2], contentType: "image/png", entityTag: "\"v1\"")
        for value in ["gzip", "identity;q=0"] {
            let answer = try Self.answer(["Accept-Encoding: \(value)"], image)
            #expect(answer.body == [1, 2])
            #expect(answer.fields["Vary"] == nil)
        }
    }

    // MARK: Ranges

    @Test(
        "RFC 9110 §15.3.7: one range is sent as it is, with its place",
        arguments: [
            ("bytes=0-6", 0..<7), ("bytes=153-", 153..<160), ("bytes=-7", 153..<160),
            ("bytes=150-99999999999999999999", 150..<160), ("BYTES=0-0", 0..<1),
            ("bytes=0-6, 500-", 0..<7),
        ])
    func range(_ value: String, _ range: Range<Int>) throws {
        let answer = try Self.answer(["Range: \(value)"])
        #expect(answer.status == 206)
        #expect(answer.body == Array(Self.content[range]))
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/160"
        #expect(answer.fields["Content-Range"] == place)
        #expect(answer.fields["Content-Type"] == "text/plain")
        #expect(answer.fields["ETag"] == "\"v1\"")
    }

    @Test("RFC 9110 §15.3.7.2: several ranges are parts, each with its place, none on top")
    func ranges() throws {
        let answer = try Self.answer(["Range: bytes=0-1,158-"])
        #expect(answer.status == 206)
        #expect(answer.fields["Content-Range"] == nil)
        let type = try #require(answer.fields["Content-Type"])
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type == "multipart/byteranges; boundary=\(boundary)")
        #expect(
            text(answer.body) == """
                \r\n--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/160\r\n\r\n\
                co\r\n--\(boundary)\r\nContent-Type: text/plain\r\n\
                Content-Range: bytes 158-159/160\r\n\r\nt \r\n--\(boundary)--\r\n
                """)
    }

    @Test(
        "RFC 9110 §14.2: the whole is sent where ranges don't count",
        arguments: [
            ["Range: lines=0-1"], ["Range: bytes=1-0"], ["Range: bytes"],
            ["Range: bytes=0-1", "Range: bytes=2-3"],
            ["Range: bytes=\((0..<17).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","))"],
            ["Range: bytes=0-1", "If-Range: \"v2\""], ["Range: bytes=0-1", "If-Range: W/\"v1\""],
            ["Range: bytes=0-1", "If-Range: \(before)"],
        ])
    func ignored(_ fields: [String]) throws {
        let answer = try Self.answer(fields)
        #expect(answer.status == 200)
        #expect(answer.body == Self.content)
        #expect(answer.fields["Accept-Ranges"] == "bytes")
    }

    @Test(
        "RFC 9110 §13.1.5: If-Range lets the range through that names exactly this form",
        arguments: ["\"v1\"", same])
    func ifRange(_ value: String) throws {
        #expect(try Self.answer(["Range: bytes=0-1", "If-Range: \(value)"]).status == 206)
    }

    @Test("RFC 9110 §15.5.17: ranges behind the end are refused with the size")
    func unsatisfiable() throws {
        for value in ["bytes=160-", "bytes=-0"] {
            let answer = try Self.answer(["Range: \(value)"])
            #expect(answer.status == 416)
            #expect(answer.fields["Content-Range"] == "bytes */160")
        }
    }

    @Test("RFC 9110 §14.2: Range is for GET only")
    func head() throws {
        let answer = try Self.answer(["Range: bytes=0-1"], method: "HEAD")
        #expect(answer.status == 200)
        #expect(answer.body == Self.content)
        #expect(try Self.answer(["If-None-Match: \"v1\""], method: "HEAD").status == 304)
    }
}
