// A stored request that takes the road of received ones again: nothing of it is lost on the way.

import HTTP1
import JSON
import Testing

@testable import ResultAPI

@Suite("Stored requests that are received again")
struct StoredRequestTests {
    private func received(_ record: SampleRecord) throws -> Request? {
        try #require(StoredRequest(ofRecord: record.text)).request
    }

    @Test(
        "have the peer, scheme and host that they came with",
        arguments: [
            ("127.0.0.1:51512", "https", "www.yourapp.com"), ("[::1]:80", "http", "A.example:81"),
            ("10.0.0.1:0", "https", "elsewhere.example"), ("unix:", "http", "www.yourapp.com"),
        ])
    func origins(peer: String, scheme: String, host: String) throws {
        let record = SampleRecord().with(
            [:],
            request: [
                "peer": SampleRecord.json(peer), "scheme": SampleRecord.json(scheme),
                "host": SampleRecord.json(host),
            ])
        let request = try #require(try received(record))
        #expect(request.origin.client.description == peer)
        #expect(request.origin.isSecure == (scheme == "https"))
        #expect(request.authority.map { String(decoding: $0, as: UTF8.self) } == host)
    }

    @Test("have their method, version and field lines")
    func heads() throws {
        let fields = [
            ["host", "a"], ["X-Twice", "1"], ["x-twice", "[redacted]"], ["X-Name", "é"],
        ]
        let record = SampleRecord().with(
            [:],
            request: [
                "method": #""PUT""#, "version": #""1.0""#,
                "headers": SampleRecord.json(fields),
            ])
        let request = try #require(try received(record))
        #expect(request.method == .put && request.minorVersion == 0)
        let lines = request.fieldLines.map { line in
            [line.name, line.value].map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == fields)
    }

    @Test(
        "have the mark of redaction escaped in the path, where brackets are invalid",
        arguments: [
            ("/a/[redacted]/b?c=[redacted]", "/a/%5Bredacted%5D/b?c=[redacted]"),
            ("/[redacted]", "/%5Bredacted%5D"), ("/?a=1?[b]", "/?a=1?[b]"),
            ("http://a/[redacted]?x", "http://a/%5Bredacted%5D?x"),
        ])
    func targets(target: String, valid: String) throws {
        let record = SampleRecord().with([:], request: ["target": SampleRecord.json(target)])
        let request = try #require(try received(record))
        #expect(String(decoding: request.target, as: UTF8.self) == valid)
    }

    @Test("give no request if none can have their head")
    func invalid() throws {
        for (name, value) in [("method", "FROB"), ("target", "/a b"), ("version", "2.0")] {
            let record = SampleRecord().with([:], request: [name: SampleRecord.json(value)])
            #expect(try received(record) == nil)
        }
    }
}
