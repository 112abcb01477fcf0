// Heads of responses, line by line, without a connection.

import Testing

@testable import HTTPClient

struct HeadReaderTests {
    private static func read(_ lines: [String]) throws(ClientError) -> ResponseHead? {
        var reader = HeadReader()
        for line in lines { try reader.take(Array(line.utf8)) }
        return reader.head
    }

    @Test("RFC 9110 §15.2: interim heads are passed over, and trailers are kept apart")
    func head() throws {
        let head = try Self.read([
            "HTTP/1.1 100 Continue\r\n", "A: interim\r\n", "\r\n", "HTTP/1.1 201 Created\r\n",
            "A:\t b \r\n", "a: c\r\n", "Empty:\r\n", "\r\n", "A: trailer\r\n", "no colon\r\n",
            "\r\n",
        ])
        #expect(head?.status == 201)
        #expect(head?.fields.map(\.name) == ["A", "a", "Empty"])
        #expect(head?.fields.map(\.value) == ["b", "c", ""])
        #expect(head?["a"] == "b")
        #expect(head?.trailers.map(\.name) == ["A"])
        #expect(head?.trailer("a") == "trailer")
    }

    @Test("RFC 9112 §5.1 and §5.2: values are unfolded, and blanks before a colon left out")
    func folded() throws {
        let head = try Self.read([
            "HTTP/1.1 200 OK\r\n", "A: b\r\n", " c \r\n", "\t d: e\r\n", "B:\r\n", "  f\r\n",
            "C: g\r\n", " \r\n", "D \t: h\r\n", "\r\n",
        ])
        #expect(head?.fields.map(\.name) == ["A", "B", "C", "D"])
        #expect(head?.fields.map(\.value) == ["b c d: e", "f", "g", "h"])
    }

    @Test("a trailer that reads like a status line doesn't begin another head")
    func misleadingTrailer() throws {
        var reader = HeadReader()
        for line in ["HTTP/1.1 201 Created\r\n", "\r\n"] { try reader.take(Array(line.utf8)) }
        reader.hasContent = true
        for line in ["HTTP/1.1 500 a: b\r\n", "\r\n"] { try reader.take(Array(line.utf8)) }
        #expect(reader.head?.status == 201)
    }

    @Test("there is no head before its empty line, and none of an interim response")
    func incomplete() throws {
        #expect(try Self.read(["HTTP/1.1 200 OK\r\n", "A: b\r\n"]) == nil)
        #expect(try Self.read(["HTTP/1.1 103 Early Hints\r\n", "\r\n"]) == nil)
    }

    @Test(
        "RFC 9112 §4 and §5: lines off the grammar are an error",
        arguments: [
            ["HTTP/2 200\r\n"], ["HTTP/1.1 20 OK\r\n"], ["HTTP/1.1 099 A\r\n"],
            ["HTTP/1.1 600 A\r\n"], ["HTTP/1.1 2000\r\n"], ["HTTP/1.1 200 OK\r\n", "no colon\r\n"],
            ["HTTP/1.1 200 OK\r\n", ": b\r\n"], ["HTTP/1.1 200 OK\r\n", "a b: c\r\n"],
            ["HTTP/1.1 200 OK\r\n", " folded\r\n"], ["HTTP/1.1 200 OK\r\n", " : b\r\n"],
            ["HTTP/1.1 200 OK\r\n", "\t: b\r\n"],
        ])
    func malformed(_ lines: [String]) {
        #expect(throws: ClientError.malformed) { try Self.read(lines) }
    }

    @Test("a head that has no end is an error", arguments: ["A: b\r\n", " folded\r\n"])
    func tooLong(line: String) {
        let count = Limits.headBytes / line.utf8.count + 1
        let lines = ["A: b\r\n"] + [String](repeating: line, count: count)
        #expect(throws: ClientError.tooLarge(bytes: Limits.headBytes)) {
            try Self.read(["HTTP/1.1 200 OK\r\n"] + lines)
        }
    }
}
