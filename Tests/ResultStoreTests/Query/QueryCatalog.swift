// What the tests of queries ask about. Left out: the real vendors' declarations.

import Clocks

@testable import ResultStore

/// Two vendors that share one field and have three of their own.
let queryCatalog = FieldCatalog(
    fields: [
        .init(vendor: "welltory", name: "stress", paths: [["stress"]], kind: .number),
        .init(vendor: "welltory", name: "token", paths: [["token"]], kind: .text),
        .init(vendor: "ailet", name: "status", paths: [["status"]], kind: .text),
        .init(vendor: "ailet", name: "is_offline", paths: [["offline"]], kind: .flag),
        .init(vendor: "ailet", name: "token", paths: [["auth", "token"]], kind: .text),
    ],
    words: [], vendors: ["dimmy", "welltory", "ailet"],
    contracts: ["welltory-dds", "ailet-deeplink", "flux"],
    outcomes: ["completed", "cancelled", "error"],
    verdicts: ["decoded", "decoded_with_warnings", "undecodable"])

/// 2026-11-21T12:00:00.500Z.
let queryNow = time("2026-11-21T12:00:00.500Z")

/// A time that is written right.
func time(_ text: String) -> Timestamp {
    Timestamp(text.utf8) ?? Timestamp(unixMilliseconds: 0)
}

/// What a query means, with the catalog and the time of these tests.
func parse(_ text: String) throws(QueryError) -> Condition {
    try QueryParser.parse(text, catalog: queryCatalog, now: queryNow)
}

extension Condition {
    /// Whether a record matches the condition.
    func matches(_ facts: RecordFacts, catalog: FieldCatalog) -> Bool {
        Matcher(self, catalog: catalog).matches(facts)
    }
}

extension FieldValues {
    /// Takes values that are parallel to a catalog's fields.
    init(_ values: [FieldValue?]) {
        self.init(count: values.count)
        for case (let index, let value?) in values.enumerated() { add(value, at: index) }
    }
}

/// Facts that every query of the tests can be held against.
func facts(
    vendor: String = "welltory", outcome: String? = "completed", flow: String? = nil,
    fields: [FieldValue?] = [.number(0.32), .text("t-1"), nil, nil, nil],
    words: String = "stress über 4011 молоко"
) -> RecordFacts {
    RecordFacts(
        sequence: 42, id: RecordID(high: 0x019A_0000_0000_7000, low: 0x8000_0000_0000_0001),
        receivedAt: time("2026-11-21T06:13:00.123Z"), inbox: "default", vendor: vendor,
        contract: "welltory-dds", outcome: outcome, verdict: "decoded", flow: flow, method: "GET",
        host: "www.yourapp.com", path: "/dds/", fields: FieldValues(fields), words: words)
}
