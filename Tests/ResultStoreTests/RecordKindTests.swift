// The kind of records: how queries ask for it, and how lines of older programs get theirs.

import Clocks
import JSON
import Testing

@testable import ResultStore

@Suite struct RecordKindTests {
    /// A line as programs before `kind` wrote it.
    private static func oldLine(_ number: Int, contract: String) -> [UInt8] {
        let moment = Timestamp(unixMilliseconds: 1_795_241_580_000 + Int64(number))
        let rest =
            #""id":"\#(RecordID(at: moment))","seq":\#(number),"received_at":"\#(moment)","#
            + #""inbox":"ci","vendor":"dimmy","contract":\#(contract),"outcome":null,"#
            + #""verdict":"decoded","flow":null,"request":{"method":"POST","target":"/","headers":"#
            + #"[["Idempotency-Key","k"]],"body":null},"result":null,"diagnostics":[]}"#
        var line = Array(#"{"crc32":""#.utf8)
        Checksum.append(Checksum.crc32(Array(rest.utf8)[...]), to: &line)
        return line + Array(#"",\#(rest)"#.utf8) + [UInt8(ascii: "\n")]
    }

    /// A folder that a program before `kind` has left.
    private func oldFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let contracts = [
            #""flux""#, #""flux-launch""#, #""flux-delivery""#, "null", #""rezolve-registration""#,
        ]
        var bytes: [UInt8] = []
        for (index, contract) in contracts.enumerated() {
            bytes += Self.oldLine(index + 1, contract: contract)
        }
        try folder.makeFolder("results")
        try folder.write(bytes, to: "results/2026-11-21.jsonl")
        return folder
    }

    private func texts(
        _ store: ResultStore, _ condition: Condition
    ) async throws -> [(kind: String?, contract: String?)] {
        let page = try await store.page(
            of: ResultQuery(condition, by: .seq, isDescending: false), limit: 10)
        return try page.lines.map { line in
            let root = try JSONDocument(parsing: line.text).root
            return (root["kind"]?.string, root["contract"]?.string)
        }
    }

    @Test func linesOfOlderProgramsGetTheirKindFromTheEndOfTheContractWhichGoes() async throws {
        let folder = try oldFolder()
        let store = try ResultStore(folder)
        let all = try await texts(store, .everything)
        #expect(all.map(\.kind) == ["callback", "launch", "delivery", "callback", "registration"])
        #expect(all.map(\.contract) == ["flux", "flux", "flux", nil, nil])
        let found = try await texts(
            store, .all([.kinds([.launch]), .compare(.contract, .equal, .text("flux"))]))
        #expect(found.map(\.kind) == ["launch"])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func theTextOfAnOlderLineIsThatOfANewOneWithItsKindBehindSeq() async throws {
        let folder = try oldFolder()
        let store = try ResultStore(folder)
        let page = try await store.page(
            of: ResultQuery(.kinds([.launch])), limit: 1)
        let text = String(decoding: try #require(page.lines.first).text, as: UTF8.self)
        #expect(text.contains(#""seq":2,"kind":"launch","received_at":"#))
        #expect(text.contains(#""vendor":"dimmy","contract":"flux","outcome":null"#))
        await store.close()
    }

    @Test func anIdempotencyKeyIsFoundOfCallbacksOnly() async throws {
        let folder = try oldFolder()
        let store = try ResultStore(folder)
        let lines = try await store.lines(idempotencyKey: "k", inbox: "ci", vendor: "dimmy")
        #expect(lines.map(\.sequence).sorted() == [1, 4])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func eachKindOfAnInboxIsCountedByItself(kind storeKind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try storeKind.open(folder)
        var receipts: [Receipt] = []
        for (index, kind) in [RecordKind.launch, .callback, .callback, .stray].enumerated() {
            var record = sampleRecord(index)
            record.kind = kind
            receipts.append(try await store.append(record))
        }
        #expect(try await store.inboxes(of: [.callback]).map(\.count) == [2])
        #expect(try await store.inboxes().map(\.count) == [4])
        #expect(
            try await store.inboxes(of: [.callback]).first?.lastReceivedAt
                == sampleRecord(2).receivedAt)
        #expect(try await store.erase(receipts[2].id))
        #expect(try await store.inboxes(of: [.callback]).map(\.count) == [1])
        #expect(
            try await store.inboxes(of: [.callback]).first?.lastReceivedAt
                == sampleRecord(1).receivedAt)
        #expect(try await store.inboxes(of: [.delivery]).isEmpty)
        #expect(try await store.verify().findings.isEmpty)
        #expect(try await store.erase(inbox: "default") == 3)
        #expect(try await store.inboxes().isEmpty)
        await store.close()
    }

    @Test func queriesThatNameTheKindSaySo() throws {
        for text in [
            "kind:launch", "milk (kind:stray OR vendor:dimmy)", "-kind:callback", "has:kind",
        ] {
            #expect(try parse(text).filtersByKind, "\(text)")
        }
        #expect(try !parse("vendor:dimmy milk").filtersByKind)
        let error = #expect(throws: QueryError.self) { try parse("kind:lunch") }
        #expect(error?.hint == "launch")
    }

    @Test(arguments: [
        ("kind:launch", true), ("inbox:ci kind:(launch OR stray)", true),
        ("NOT kind:callback", true), ("kind:(launch OR callback)", false),
        ("kind:launch OR inbox:ci", false), ("-kind:stray", false), ("inbox:ci", false),
    ])
    func aConditionMayExcludeAKind(query: String, excludes: Bool) throws {
        #expect(try parse(query).excludes(.callback) == excludes)
    }
}
