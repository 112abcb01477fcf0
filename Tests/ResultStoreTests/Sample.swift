// Records for the tests, and what is read back of them.

import Clocks
import PositionedJSON

@testable import ResultStore

/// The moment of the first sample: 2026-11-21T06:13:00.123Z.
let sampleMoment = Timestamp(unixMilliseconds: 1_795_241_580_123)

/// A record that differs from others by `number`, and in time by as many milliseconds.
func sampleRecord(
    _ number: Int, inbox: String = "default", vendor: String = "welltory",
    at moment: Timestamp? = nil, padding: Int = 0
) -> NewRecord {
    NewRecord(
        receivedAt: moment
            ?? Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + Int64(number)),
        inbox: inbox, vendor: vendor, contract: "welltory-dds",
        outcome: number % 2 == 0 ? "completed" : "error",
        verdict: number % 3 == 0 ? "undecodable" : "decoded",
        request: Array(#"{"method":"GET","target":"/\#(number)","body":null}"#.utf8),
        result: Array(
            #"{"number":\#(number),"text":"\#(String(repeating: "x", count: padding))"}"#.utf8),
        diagnostics: Array("[]".utf8))
}

extension StoredLine {
    /// The record as JSON.
    var root: JSONNode? { try? JSONDocument(parsing: text).root }
    /// `seq`.
    var sequence: Int? { root?["seq"]?.int }
    /// `result.number`, which tells samples apart.
    var number: Int? { root?["result"]?["number"]?.int }
}

/// Everything in a store, newest first, collected page by page.
func allLines(
    of store: ResultStore, matching filter: ResultFilter = ResultFilter(), pageSize: Int = 100
) async throws -> [StoredLine] {
    var lines: [StoredLine] = []
    var cursor: PageCursor?
    repeat {
        let page = try await store.page(matching: filter, after: cursor, limit: pageSize)
        lines += page.lines
        cursor = page.next
    } while cursor != nil
    return lines
}
