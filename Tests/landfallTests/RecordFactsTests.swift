// What queries find of a record: the same whether it was just decoded or read back from its line.

import Clocks
import JSON
import Testing

@testable import ResultAPI
@testable import ResultStore
@testable import Vendors

@Suite struct RecordFactsTests {
    /// Fields with keys of idempotency, and with a byte that isn't UTF-8.
    private static let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = [
        ("Host", "WWW.Example.COM:8443"), ("webhook-id", "second"), ("X-Note", "b\u{FC}ro"),
        ("SVIX-ID", "fir\"st"),
    ].map { (Array($0.0.utf8)[...], $0.1.unicodeScalars.map { UInt8($0.value) }[...]) }

    /// The sample callbacks of a vendor: of every contract and scenario.
    private static func callbacks(of vendor: Vendor) throws -> [Callback] {
        var callbacks = [Callback(target: Array("/a?b=c&stress=0.3&status=error".utf8))]
        for contract in Contract.allCases where contract.vendor == vendor {
            guard
                let launch = try? Launch.sample(
                    contract, callback: "https://a.example/b", number: 7)
            else {
                continue
            }
            callbacks.append(Callback(target: Array(launch.url.utf8)))
            let app = VendorApp(launch, seed: 7, at: 1_773_061_331)
            for scenario in VendorApp.scenarios(of: contract).flatMap(\.choices) {
                for answer in try app.answers(scenario) {
                    callbacks.append(
                        Callback(
                            target: Array("/callbacks/a?".utf8) + answer.query, body: answer.body))
                }
            }
        }
        return callbacks
    }

    @Test(arguments: Vendor.allCases)
    func aRecordCarriesTheFactsThatItsLineHas(vendor: Vendor) throws {
        for callback in try Self.callbacks(of: vendor) {
            let decoding = Decoding(of: callback, from: vendor)
            var record = CallbackRecord(
                decoding, receivedAt: Timestamp(unixMilliseconds: 1_795_241_580_000),
                inbox: "in", vendor: vendor,
                request: RecordRequest(
                    method: "POST", scheme: "https", host: "WWW.Example.COM:8443",
                    target: callback.target, version: "1.1", peer: "127.0.0.1:1",
                    fields: Self.fields, body: callback.body.map { .init($0.bytes) })
            ).stored
            record.flow = record.flow ?? "flow \(vendor)"
            var facts = RecordFacts(of: record, catalog: .all)
            facts.id = RecordID(high: 0x019A_0000_0000_7000, low: 1 << 63)
            facts.receivedAt = Timestamp(unixMilliseconds: facts.id.milliseconds)
            facts.sequence = 4
            var line: [UInt8] = []
            RecordLine.append(
                id: facts.id, sequence: 4, kind: record.kind, receivedAt: facts.receivedAt,
                tail: RecordLine.tail(of: record), to: &line)
            let key = try #require(
                IdempotencyKey.hash(of: record.request.facts, facts, codes: []))
            #expect(
                IdempotencyKey.hash(
                    of: record.request.facts, facts, codes: [RecordDiagnostics.refusedCode]) == nil)
            #expect(
                StoredContent(line.dropLast(), catalog: .all)
                    == .record(facts, idempotency: key, supersedes: false))
            let stored = try JSONDocument(parsing: record.request.json).root
            #expect(RecordRequest.identityTexts(of: stored) == record.request.identityTexts)
            #expect(
                CallbackDigest(ofRecord: try JSONDocument(parsing: line.dropLast()).root)
                    == CallbackDigest(record.request))
        }
    }
}
