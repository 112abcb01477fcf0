// The traceparent field by the rules of W3C Trace Context §3.2 and §4.

import HTTP1
import Testing

@testable import Problems

@Suite struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(
        arguments: [
            "00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-00",
            "cc-\(trace)-00f067aa0ba902b7-01", "cc-\(trace)-00f067aa0ba902b7-01-what-comes-later",
        ])
    func aValidFieldHasATrace(_ value: String) {
        #expect(TraceParent.traceID(in: Array(value.utf8)[...]) == Self.trace)
    }

    @Test(
        arguments: [
            "", "-", "00", "00-\(trace)", "00-\(trace)-00f067aa0ba902b7",
            "00-\(trace)-00f067aa0ba902b7-01-more", "ff-\(trace)-00f067aa0ba902b7-01",
            "00-\(trace.uppercased())-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace)x-00f067aa0ba902b7-01",
            "00-\(trace.dropLast())-00f067aa0ba902b7-01", "0-\(trace)-00f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b7-1", "00-\(trace)-00f067aa0ba902bg-01",
            " 00-\(trace)-00f067aa0ba902b7-01",
        ])
    func anInvalidFieldHasNone(_ value: String) {
        #expect(TraceParent.traceID(in: Array(value.utf8)[...]) == nil)
    }

    @Test func severalFieldsHaveNone() throws {
        let line = "traceparent: 00-\(Self.trace)-00f067aa0ba902b7-01\r\n"
        let head = { (lines: String) in
            Request(Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8))
        }
        #expect(TraceParent.traceID(of: try #require(head(line))) == Self.trace)
        #expect(TraceParent.traceID(of: try #require(head(line + line))) == nil)
        #expect(TraceParent.traceID(of: try #require(head(""))) == nil)
    }

    @Test func aProblemNamesTheTraceOfItsRequest() {
        let named = String(decoding: Problem.notFound.response(in: Self.trace).body, as: UTF8.self)
        #expect(named.contains(#""trace_id":"\#(Self.trace)""#))
        let plain = String(decoding: Problem.notFound.response.body, as: UTF8.self)
        #expect(!plain.contains("trace_id"))
    }
}
