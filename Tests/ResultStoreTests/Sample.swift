// Records for the tests, and what is read back of them.

import Clocks
import JSON

@testable import ResultStore

/// The moment of the first sample: 2026-11-21T06:13:00.123Z.
let sampleMoment = Timestamp(unixMilliseconds: 1_795_241_580_123)

/// Declares what is in the samples: a number, a text, and words.
let sampleCatalog = FieldCatalog(
    fields: [
        .init(vendor: "welltory", name: "number", paths: [["number"]], kind: .number),
        .init(vendor: "welltory", name: "name", paths: [["name"]], kind: .text),
    ],
    words: [.init(vendor: "welltory", path: ["name"])],
    vendors: ["welltory", "ailet"], contracts: ["welltory-dds"],
    outcomes: ["completed", "error"], verdicts: ["decoded", "undecodable"])

/// A record that differs from others by `number`, and in time by as many milliseconds.
func sampleRecord(
    _ number: Int, inbox: String = "default", vendor: String = "welltory",
    at moment: Timestamp? = nil, name: String? = nil, flow: String? = nil,
    target: String? = nil, padding: Int = 0, verdict: String? = nil
) -> NewRecord {
    let target = target ?? "/\(number)"
    let text = String(repeating: "x", count: padding)
    let name = name.map { #""name":"\#($0)","# } ?? ""
    return NewRecord(
        receivedAt: moment
            ?? Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + Int64(number)),
        inbox: inbox, vendor: vendor, contract: "welltory-dds",
        outcome: number % 2 == 0 ? "completed" : "error",
        verdict: verdict ?? (number % 3 == 0 ? "undecodable" : "decoded"), flow: flow,
        request: Array(#"{"method":"GET","target":"\#(target)","body":null}"#.utf8),
        result: Array(#"{\#(name)"number":\#(number),"text":"\#(text)"}"#.utf8),
        diagnostics: Array("[]".utf8))
}

extension NewRecord {
    /// A record whose parts are given as JSON text; text that isn't JSON counts as missing.
    init(
        id: RecordID? = nil, kind: RecordKind = .callback, receivedAt: Timestamp,
        redecodedAt: Timestamp? = nil, inbox: String, vendor: String, contract: String?,
        outcome: String?, verdict: String, flow: String? = nil, request: [UInt8],
        result: [UInt8]?, diagnostics: [UInt8]
    ) {
        self.init(
            id: id, kind: kind, receivedAt: receivedAt, redecodedAt: redecodedAt, inbox: inbox,
            vendor: vendor, contract: contract, outcome: outcome, verdict: verdict, flow: flow,
            request: RecordRequest(json: request)
                ?? RecordRequest(
                    method: "GET", scheme: nil, host: "", target: [], version: "1.1", peer: "",
                    fields: [], body: nil),
            result: result.flatMap { try? JSONDocument(parsing: $0) },
            diagnostics: (try? JSONDocument(parsing: diagnostics)).map {
                RecordDiagnostics($0.root)
            } ?? RecordDiagnostics())
    }
}

extension NewRecord {
    /// The record as if a newer decoder had decoded it again after it was stored.
    func decodedAgain(after receipt: Receipt) -> NewRecord {
        var record = self
        (record.id, record.redecodedAt, record.replaces) = (receipt.id, .now, receipt.number)
        return record
    }
}

/// A moment so many days after that of the first sample.
func sampleDay(_ days: Int) -> Timestamp {
    Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + Int64(days) * 86_400_000)
}

extension Receipt {
    /// The record's `seq`; 0 if it has none yet.
    var number: Int {
        let known: Int? = sequence
        return known ?? 0
    }
}

extension StoredLine {
    /// The record as JSON.
    var root: JSONNode? { try? JSONDocument(parsing: text).root }
    /// `result.number`, which tells samples apart.
    var number: Int? { root?["result"]?["number"]?.int }
}

extension ResultStore {
    /// Opens the samples' store in a folder.
    convenience init(_ folder: TemporaryFolder, settings: StoreSettings = StoreSettings()) throws {
        try self.init(folder: folder.path, catalog: sampleCatalog, settings: settings)
    }

    /// What earlier requests with an idempotency key have created, newest first.
    func lines(
        idempotencyKey key: String, inbox: String, vendor: String
    ) async throws(StoreError) -> [StoredLine] {
        let outline = try await outline(idempotencyKey: key, inbox: inbox, vendor: vendor)
        return try await lines(of: outline, 0..<outline.count).lines
    }

    /// Everything that matches, in the order of the query, collected page by page.
    func all(
        _ query: ResultQuery = ResultQuery(), pageSize: Int = 100
    ) async throws -> [StoredLine] {
        var lines: [StoredLine] = []
        var cursor: PageCursor?
        repeat {
            let page = try await page(of: query, after: cursor, limit: pageSize)
            lines += page.lines
            cursor = page.next
        } while cursor != nil
        return lines
    }

    /// The numbers of the samples that match, newest first.
    func numbers(_ condition: Condition = .everything) async throws -> [Int] {
        try await all(ResultQuery(condition)).compactMap(\.number)
    }
}
