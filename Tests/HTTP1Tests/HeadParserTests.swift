// The head parser over the whole corpus: outcomes, every way to cut the bytes, neighbours that
// follow at once, and the limits of the defaults.

import Testing

@testable import HTTP1

struct HeadParserTests {
    @Test("a request has the outcome that its rule asks for", arguments: HeadCorpus.all)
    func outcome(_ example: HeadCase) {
        let reading = Reading(example.bytes)
        #expect(reading.outcome == example.expected)
        if case .done = reading { #expect(reading.size == example.bytes.count) }
    }

    @Test(
        "RFC 9112 §2.2: cut in two at any byte, a request has the same outcome",
        arguments: HeadCorpus.all)
    func cutInTwo(_ example: HeadCase) {
        let whole = Reading(example.bytes)
        let differing = example.bytes.indices.filter { cut in
            Reading(example.bytes, cuts: [cut]) != whole
        }
        #expect(differing == [])
    }

    @Test("RFC 9112 §2.2: byte by byte, a request has the same outcome", arguments: HeadCorpus.all)
    func byteByByte(_ example: HeadCase) {
        let reading = Reading(example.bytes, cuts: example.bytes.indices)
        #expect(reading == Reading(example.bytes))
    }

    @Test(
        "RFC 9112 §9.3.2: bytes behind a request are left for the next one",
        arguments: HeadCorpus.accepted)
    func neighbours(_ first: HeadCase) {
        for second in HeadCorpus.all {
            let both = first.bytes + second.bytes
            #expect(Reading(both).size == first.bytes.count)
            let rest = Array(both.dropFirst(first.bytes.count))
            #expect(Reading(rest) == Reading(second.bytes))
        }
    }

    @Test("fields keep their wire order, case and repeats, and lose the blanks around values only")
    func fieldLines() {
        let text = "GET / HTTP/1.1\r\nHost:a\r\nx-B: \t1 2\t \r\nX-b:\r\nx-a: ä\r\n\r\n"
        let expected = ["Host", "a", "x-B", "1 2", "X-b", "", "x-a", "ä"].map { Array($0.utf8) }
        for prefix in ["", "\r\n"] {
            guard case .done(let bytes, _, _, let fields) = Reading(Array((prefix + text).utf8))
            else {
                Issue.record("refused")
                continue
            }
            #expect(fields == expected)
            #expect(bytes == Array(text.utf8))
        }
    }

    @Test("a head has begun with its first byte, and not before")
    func hasBegun() {
        var parser = HeadParser(limits: Limits())
        #expect(!parser.hasBegun)
        _ = parser.parse(Array("G".utf8).span)
        #expect(parser.hasBegun)
    }

    @Test("RFC 9112 §3: a target of 8,000 octets is served by default")
    func longTarget() {
        let target = "/" + String(repeating: "a", count: 7_999)
        let head = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(Reading(head, limits: Limits()).size == head.count)
    }

    /// Every call looks at the new byte only: if each looked at all bytes again, the quarter of a
    /// million calls would come to thirty thousand million steps and not end within the minute.
    @Test("the longest target in steps of one byte is read once", .timeLimit(.minutes(1)))
    func isNotQuadratic() async {
        let limits = Limits()
        let target = "/" + String(repeating: "a", count: limits.targetBytes - 1)
        let head = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        var parser = HeadParser(limits: limits)
        var calls = 0
        var size = 0
        for count in 1...head.count where size == 0 {
            calls += 1
            switch parser.parse(head.span.extracting(0..<count)) {
            case .incomplete: break
            case .done(_, let found): size = found
            case .refused(let refusal):
                Issue.record("\(refusal) at \(count)")
                return
            }
            if calls.isMultiple(of: 10_000) { await Task.yield() }
        }
        #expect(calls == head.count)
        #expect(size == head.count)
    }
}
