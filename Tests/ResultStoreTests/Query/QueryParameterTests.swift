// The simple parameters, and what wrong ones are answered with.

import Testing

@testable import ResultStore

@Suite struct QueryParameterTests {
    private func condition(_ name: String, _ value: String) throws(QueryError) -> Condition {
        try .parameter(name: name, value: value, catalog: queryCatalog, now: queryNow)
    }

    @Test(arguments: [
        ("vendor", "welltory", "vendor:welltory"),
        ("contract", "flux", "contract:flux"),
        ("flow", "a..b*", "flow:\"a..b*\""),
        ("outcome", "error", "outcome:error"),
        ("verdict", "decoded", "verdict:decoded"),
        ("flow", ">f", "flow:\">f\""),
        ("method", "post", "method:POST"),
        ("host", "A.B", "host:a.b"),
        ("path", "/a b", "path:\"/a b\""),
        ("received_after", "2026-11-20T10:00:00Z", "received_at:>2026-11-20T10:00:00Z"),
        ("received_before", "-15m", "received_at:<-15m"),
        ("result.stress", "0.3", "result.stress:0.3"),
        ("result.stress", "eq:0.3", "result.stress:0.3"),
        ("result.stress", "gt:0.3", "result.stress:>0.3"),
        ("result.stress", "gte:0.3", "result.stress:>=0.3"),
        ("result.stress", "lt:0.3", "result.stress:<0.3"),
        ("result.stress", "lte:0.3", "result.stress:<=0.3"),
        ("result.stress", "0.1..0.5", "result.stress:0.1..0.5"),
        ("result.stress", "..0.5", "result.stress:..0.5"),
        ("result.token", "a..b", "result.token:\"a..b\""),
        ("result.token", "eq:gte:x", "result.token:gte:x"),
        ("result.is_offline", "true", "result.is_offline:true"),
    ]) func aParameterIsSugarForAQuery(name: String, value: String, query: String) throws {
        #expect(try condition(name, value) == parse(query))
    }

    @Test(arguments: [
        ("vendor", "dimy", 0, "one of dimmy", "dimmy"),
        ("vendor", "", 0, "a value of vendor", nil),
        ("received_after", "2026-11-20", 0, "a time such as", nil),
        ("received_before", "yesterday", 0, "a time such as", nil),
        ("result.stress", "gte:x", 4, "a number", nil),
        ("result.stress", "0.1..x", 5, "a number", nil),
        ("result.stress", "gte:0.1..0.2", 4, "a number", nil),
        ("result.token", "gt:a", 0, "result.token has no order", nil),
        ("result.is_offline", "yes", 0, "true or false", nil),
        ("result.stres", "1", 0, "a known parameter", "result.stress"),
        ("recieved_after", "1", 0, "a known parameter", "received_after"),
        ("seq", "1", 0, "a known parameter", nil),
        ("id", "1", 0, "a known parameter", nil),
    ]) func aWrongParameterIsNamedWithItsPlace(
        name: String, value: String, byte: Int, expected: String, hint: String?
    ) throws {
        let error = try #require(throws: QueryError.self) { try condition(name, value) }
        #expect(error.byte == byte)
        #expect(error.expected.contains(expected), "\(error)")
        #expect(error.hint == hint)
    }
}
