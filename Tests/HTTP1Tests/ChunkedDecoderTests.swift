// Chunked bodies (RFC 9112 §7.1), good and bad, whole and cut at every byte; where a body ends,
// what room it may take, and how long its lines may be.

import Testing

@testable import HTTP1

/// One chunked body and what has to become of it.
struct ChunkedCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        case content(String)
        case malformed
        case incomplete
    }

    static let lineLimit = 40

    let rule: String
    let bytes: [UInt8]
    let expected: Expected

    var testDescription: String { rule }

    init(_ rule: String, _ text: String, _ expected: Expected) {
        self.rule = "\(rule): \(text.debugDescription)"
        bytes = Array(text.utf8)
        self.expected = expected
    }

    static let all = good + bad + incomplete

    static let good: [ChunkedCase] = [
        ("§7.1: the empty body", "0\r\n\r\n", ""),
        ("§7.1: one chunk", "3\r\nabc\r\n0\r\n\r\n", "abc"),
        ("§7.1: several chunks", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"),
        (
            "§7.1: capitals and small letters", "a\r\n0123456789\r\nB\r\n0123456789-\r\n0\r\n\r\n",
            "01234567890123456789-"
        ),
        ("§7.1: leading zeros", "003\r\nabc\r\n000000000000000\r\n\r\n", "abc"),
        ("§7.1: data that looks like lines", "8\r\n\r\n0\r\n\r\nx\r\n0\r\n\r\n", "\r\n0\r\n\r\nx"),
        ("§7.1.1: an extension", "3;a\r\nabc\r\n0;b\r\n\r\n", "abc"),
        ("§7.1.1: an extension with a value", "3;a=b\r\nabc\r\n0\r\n\r\n", "abc"),
        ("§7.1.1: a quoted value", "3;a=\"b;\t\\\"c\"\r\nabc\r\n0\r\n\r\n", "abc"),
        ("§7.1.1: blanks around an extension", "3 \t; a = b\r\nabc\r\n0\r\n\r\n", "abc"),
        ("§7.1.2: a trailer", "0\r\nX-Sum: 1\r\n\r\n", ""),
        ("§7.1.2: trailers are no fields", "0\r\nContent-Length: 5\r\nHost:\r\n\r\n", ""),
        ("limit: a line as long as allowed", "0;\(String(repeating: "a", count: 36))\r\n\r\n", ""),
        (
            "limit: trailers as long as allowed",
            "0\r\nX: \(String(repeating: "a", count: 33))\r\n\r\n",
            ""
        ),
    ].map { ChunkedCase("RFC 9112 \($0.0)", $0.1, .content($0.2)) }

    static let bad: [ChunkedCase] =
        [
            "\r\n", " 3\r\nabc", "+3\r\nabc", "-3\r\nabc", "0x3\r\nabc", "3_0\r\n", "3h\r\nabc",
            "３\r\nabc", "3 \r\nabc", "3\t\r\nabc", "3 3\r\nabc", "3 a\r\nabc", "3.0\r\nabc",
            "3,\r\nabc", ";a\r\n", "\u{0}3\r\n", "1000000000000000\r\n", "FFFFFFFFFFFFFFFFF\r\n",
            "0000000000000003\r\nabc",
        ].map { ChunkedCase("RFC 9112 §7.1: size", $0, .malformed) }
        + [
            "3\nabc\r\n0\r\n\r\n", "3\rabc\r\n0\r\n\r\n", "3\r\r\nabc", "3\r\nabc\n0\r\n\r\n",
            "3\r\nabc\r0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc0\r\n\r\n",
            "3\r\nabcxx0\r\n\r\n",
            "3\r\nabc\r\n\r\n0\r\n\r\n", "0\r\n\n", "0\n\n", "0\r\n\rX", "0\r\n\r\r\n",
            "0\r\nX: a\n\r\n",
        ].map { ChunkedCase("RFC 9112 §7.1: exactly CRLF", $0, .malformed) }
        + [
            "3;\r\nabc", "3;a\nabc", "3;a\rb\r\nabc", "3;=b\r\nabc", "3;a\u{0}\r\nabc",
            "3;a\u{7F}\r\nabc", "3; \r\nabc", "3;;a\r\nabc",
        ].map { ChunkedCase("RFC 9112 §7.1.1: extension", $0, .malformed) }
        + [
            "0\r\n a\r\n\r\n", "0\r\n: a\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX : a\r\n\r\n",
            "0\r\nX: a\u{0}\r\n\r\n", "0\r\nX: a\r\n b\r\n\r\n", "0\r\nX: a\rb\r\n\r\n",
            "0\r\nGET / HTTP/1.1\r\n\r\n",
        ].map { ChunkedCase("RFC 9112 §7.1.2: trailer", $0, .malformed) }
        + [
            "0;\(String(repeating: "a", count: 37))\r\n\r\n",
            "0;\(String(repeating: "a", count: 99))",
            "0\r\nX: \(String(repeating: "a", count: 34))\r\n\r\n",
            "0\r\n\(String(repeating: "X: a\r\n", count: 9))\r\n",
        ].map { ChunkedCase("limit: bytes of a line or of the trailers", $0, .malformed) }

    static let incomplete: [ChunkedCase] = [
        "", "3", "3\r", "3\r\n", "3\r\nab", "3\r\nabc", "3\r\nabc\r", "3\r\nabc\r\n", "0", "0\r\n",
        "0\r\n\r", "0\r\nX", "0\r\nX: a\r\n", "0\r\nX: a\r\n\r", "3;", "3 ",
        "FFFFFFFFFFFFFFF\r\nabc",
    ].map { ChunkedCase("RFC 9112 §7.1: more must come", $0, .incomplete) }
}

/// What a decoder made of a body that came in pieces.
struct Decoding: Equatable {
    var outcome = ChunkedDecoder.Outcome.incomplete
    var content: [UInt8] = []
    /// Bytes that belong to the body, when it has ended.
    var consumed = 0

    init(
        _ bytes: [UInt8], cuts: some Sequence<Int> = [], lineLimit: Int = ChunkedCase.lineLimit,
        room: Int = 1_000
    ) {
        var decoder = ChunkedDecoder(lineLimit: lineLimit, bodyLimit: .max)
        for end in Array(cuts) + [bytes.count] where outcome == .incomplete && end >= consumed {
            let piece = bytes.span.extracting(consumed..<end)
            let (outcome, count) = decoder.decode(
                piece, into: &content, room: room - content.count)
            self.outcome = outcome
            consumed += count
        }
        if outcome == .malformed { consumed = 0 }
    }
}

struct ChunkedDecoderTests {
    @Test("a body has the outcome that its rule asks for", arguments: ChunkedCase.all)
    func outcome(_ example: ChunkedCase) {
        let decoding = Decoding(example.bytes)
        switch example.expected {
        case .content(let content):
            #expect(decoding.outcome == .done)
            #expect(String(decoding: decoding.content, as: UTF8.self) == content)
            #expect(decoding.consumed == example.bytes.count)
        case .malformed: #expect(decoding.outcome == .malformed)
        case .incomplete: #expect(decoding.outcome == .incomplete)
        }
    }

    @Test(
        "cut in two at any byte, and byte by byte, a body has the same outcome",
        arguments: ChunkedCase.all)
    func cuts(_ example: ChunkedCase) {
        let whole = Decoding(example.bytes)
        let differing = example.bytes.indices.filter {
            Decoding(example.bytes, cuts: [$0]) != whole
        }
        #expect(differing == [])
        #expect(Decoding(example.bytes, cuts: example.bytes.indices) == whole)
    }

    @Test("RFC 9112 §9.3.2: what stands behind a body is left", arguments: ChunkedCase.good)
    func remainder(_ example: ChunkedCase) {
        for next in ["GET / HTTP/1.1\r\n", "\r\n", "0\r\n\r\n", "\n"] {
            let decoding = Decoding(example.bytes + Array(next.utf8))
            #expect(decoding.outcome == .done)
            #expect(decoding.consumed == example.bytes.count)
        }
    }

    @Test("no more data is given out than there is room for, wherever the bytes are cut")
    func room() {
        let body = Array("3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n".utf8)
        for cut in body.indices {
            for room in 0...8 {
                let decoding = Decoding(body, cuts: [cut], room: room)
                #expect(decoding.content == Array("abcdefg".utf8.prefix(room)))
                #expect(decoding.outcome == (room < 7 ? .incomplete : .done))
            }
        }
    }

    @Test("decoding goes on where room was made")
    func roomAgain() {
        let body = Array("5\r\nabcde\r\n0\r\n\r\n".utf8)
        var decoder = ChunkedDecoder(lineLimit: 40, bodyLimit: 5)
        var start = 0
        var all: [UInt8] = []
        var outcome = ChunkedDecoder.Outcome.incomplete
        for _ in 0..<6 where outcome == .incomplete {
            var piece: [UInt8] = []
            let result = decoder.decode(
                body.span.extracting(start..<body.count), into: &piece, room: 2)
            #expect(piece.count <= 2)
            outcome = result.outcome
            start += result.consumed
            all += piece
        }
        #expect(outcome == .done)
        #expect(all == Array("abcde".utf8))
    }

    @Test("each size line is as long as allowed, and so are all extensions together")
    func lineLimit() {
        let chunk = "1;xxxx\r\na\r\n"
        let body = Array((String(repeating: chunk, count: 7) + "0\r\n\r\n").utf8)
        #expect(Decoding(body, lineLimit: 35).content.count == 7)
        #expect(Decoding(body, lineLimit: 34).outcome == .malformed)
        let plain = Array((String(repeating: "01\r\na\r\n", count: 50) + "0\r\n\r\n").utf8)
        #expect(Decoding(plain, lineLimit: 4).content.count == 50)
        #expect(Decoding(plain, lineLimit: 3).outcome == .malformed)
    }

    @Test(
        "RFC 9110 §15.5.14: a chunk that makes the body too large is refused before its data come")
    func bodyLimit() {
        let body = Array("2\r\nab\r\n3\r\n".utf8)
        var decoder = ChunkedDecoder(lineLimit: 40, bodyLimit: 4)
        var content: [UInt8] = []
        #expect(decoder.decode(body.span, into: &content, room: 100).outcome == .tooLarge)
        decoder = ChunkedDecoder(lineLimit: 40, bodyLimit: 5)
        content = []
        #expect(decoder.decode(body.span, into: &content, room: 100).outcome == .incomplete)
        #expect(content == Array("ab".utf8))
    }
}
