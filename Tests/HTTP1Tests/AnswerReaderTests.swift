// Responses as the client reads them: framing by length, chunks and end, whole and cut at every byte;
// what breaks off, or contradicts itself, is an error.

import Sockets
import Testing

@testable import HTTP1

struct AnswerReaderTests {
    /// What became of the bytes of a connection.
    private struct Reading: Equatable {
        var status: Int?
        var content = ""
        var interim: [Int] = []
        var hasEnded = false
    }

    /// Reads what comes in two pieces, and then ends.
    private static func read(
        _ response: String, cutAt cut: Int, answering method: Request.Method = .get
    ) throws(ClientError) -> Reading {
        let bytes = Array(response.utf8)
        var reader = AnswerReader(answering: method)
        var input = ReadBuffer()
        var reading = Reading()
        var pieces = [bytes[..<cut], bytes[cut...]]
        var content: [UInt8] = []
        while !reading.hasEnded {
            switch try reader.step(&input, into: &content) {
            case .interim(let head): reading.interim.append(head.status)
            case .head(let head): reading.status = head.status
            case .content: continue
            case .end: reading.hasEnded = true
            case .starved:
                if pieces.isEmpty {
                    try reader.finish()
                } else {
                    input.append(pieces.removeFirst())
                }
            }
        }
        reading.content = text(content)
        return reading
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"

    @Test(
        "RFC 9112 §6.3: content ends where its framing says, wherever the bytes are cut",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, "abc"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nabc", 200, "ab"),
            ("HTTP/1.1 404 \r\nCONTENT-LENGTH: \t0 \r\n\r\nabc", 404, ""),
            ("HTTP/1.0 200\r\n\r\nabc\r\n\r\nd", 200, "abc\r\n\r\nd"),
            ("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc", 204, ""),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", 304, ""),
            (chunked + "0\r\n\r\n", 200, ""),
            (chunked + "3;a=b\r\nabc\r\n1\r\nd\r\n0\r\nX: y\r\n\r\nrest", 200, "abcd"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nab\r\n0\r\n\r\n", 200, "ab"
            ),
        ])
    func framing(_ response: String, _ status: Int, _ content: String) throws {
        for cut in 0...response.utf8.count {
            let reading = try Self.read(response, cutAt: cut)
            #expect(reading == Reading(status: status, content: content, hasEnded: true))
        }
    }

    @Test("RFC 9110 §15.2: interim responses come before the one that counts")
    func interim() throws {
        let response =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
        for cut in 0...response.utf8.count {
            let reading = try Self.read(response, cutAt: cut)
            let expected = Reading(status: 200, content: "a", interim: [100, 103], hasEnded: true)
            #expect(reading == expected)
        }
    }

    @Test("RFC 9110 §9.3.2: an answer to HEAD has no content")
    func toHead() throws {
        let reading = try Self.read(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", cutAt: 0, answering: .head)
        #expect(reading == Reading(status: 200, hasEnded: true))
    }

    @Test(
        "RFC 9112 §8: an answer that breaks off anywhere is an error",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            chunked + "3\r\nabc\r\n0\r\nX: y\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
        ])
    func broken(_ response: String) throws {
        for count in 0..<response.utf8.count {
            let part = String(decoding: response.utf8.prefix(count), as: UTF8.self)
            #expect(throws: ClientError.self) { try Self.read(part, cutAt: count / 2) }
        }
        _ = try Self.read(response, cutAt: 0)
    }

    @Test(
        "what is no response, or contradicts itself, is an error",
        arguments: [
            "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\nA: b\r\n\r\n",
            "HTTP/1.1 200 OK\rXA: b\r\n\r\n", "HTTP/1.1 200 O\u{0}K\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\na",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            chunked + "x\r\n", chunked + "3\r\nabcd\r\n0\r\n\r\n",
            chunked + "ffffffffffffffff\r\n",
        ])
    func wrong(_ response: String) {
        #expect(throws: ClientError.self) { try Self.read(response, cutAt: 0) }
    }

    @Test("limit: a head without end is given up")
    func endlessHead() {
        let lines = String(repeating: "A: b\r\n", count: AnswerReader.headBytes / 6 + 1)
        #expect(throws: ClientError.self) {
            try Self.read("HTTP/1.1 200 OK\r\n" + lines, cutAt: 0)
        }
    }

    @Test("a response of this process has the same head as one from the wire")
    func fromResponse() {
        var response = Response(.created, contentType: "text/plain", body: [])
        response.add("Link", "<a>; rel=\"next\"")
        let head = AnswerHead(response)
        #expect(head.status == 201)
        #expect(head.fields.map(\.name) == ["Content-Type", "Link"])
        #expect(head["link"] == "<a>; rel=\"next\"")
        #expect(head["location"] == nil)
    }
}
