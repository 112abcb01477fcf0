// Reading what was written gives the value that was written, for every contract.
// Values are drawn at random from all that the types can hold, not from what is plausible.

import JSON
import Mutations
import Testing

@testable import Vendors

@Suite("Round trips")
struct RoundTripTests {
    private static let seeds: Range<UInt64> = 0..<2000

    @Test("of Welltory's measurements")
    func welltory() {
        var isTrivial = true
        for seed in Self.seeds {
            var random = RandomValues(seed: seed)
            let value = random.measurement()
            for decoding in Self.decodings(of: value.callbackQuery, .welltory) {
                if WelltoryMeasurement(decoding) != value {
                    Issue.record("\(value) -> \(decoding.text ?? "nil")")
                }
            }
            if value.token != nil, !value.parameters.isEmpty { isTrivial = false }
        }
        #expect(!isTrivial)
    }

    @Test("of Flux's callbacks")
    func flux() {
        var kinds: Set<String> = []
        for seed in Self.seeds {
            var random = RandomValues(seed: seed)
            let value = random.fluxCallback()
            for decoding in Self.decodings(of: value.callbackQuery, .dimmy) {
                if FluxCallback(decoding) != value {
                    Issue.record("\(value) -> \(decoding.text ?? "nil")")
                }
                kinds.insert(decoding.outcome?.rawValue ?? "nil")
            }
        }
        #expect(kinds == ["completed", "cancelled", "error"])
    }

    @Test("of Dimmy's callbacks")
    func dimmy() {
        for seed in Self.seeds {
            var random = RandomValues(seed: seed)
            let value = DimmyCallback(random.item(), context: random.context())
            for decoding in Self.decodings(of: value.callbackQuery, .dimmy) {
                if DimmyCallback(decoding) != value {
                    Issue.record("\(value) -> \(decoding.text ?? "nil")")
                }
            }
        }
    }

    @Test("of Ailet's reports")
    func ailet() {
        for seed in Self.seeds {
            var random = RandomValues(seed: seed)
            let value = random.report()
            for decoding in Self.decodings(of: value.callbackQuery, .ailet) {
                if AiletReport(decoding) != value {
                    Issue.record("\(value) -> \(decoding.text ?? "nil")")
                }
            }
        }
    }

    @Test("of values that an app made up, which no decoder has a word about")
    func emulated() {
        for seed in 0..<50 as Range<UInt64> {
            let app = Emulated.app(.ailetDeeplink, seed: seed)
            let report = Self.decodings(of: app.report.callbackQuery, .ailet)
            if report.contains(where: { AiletReport($0) != app.report || !$0.diagnostics.isEmpty })
            {
                Issue.record("report of seed \(seed)")
            }
            let measurement = Emulated.app(.welltoryDDS, seed: seed, ["order": nil]).measurement
            let result = Self.decodings(of: measurement.callbackQuery, .welltory)
            if result.contains(where: {
                WelltoryMeasurement($0) != measurement || !$0.diagnostics.isEmpty
            }) {
                Issue.record("measurement of seed \(seed)")
            }
        }
    }

    // x-callback-url has no values of a type: what comes back is the action's.
    @Test(
        "of whatever could be read of a broken message",
        arguments: Emulated.contracts.filter { $0 != .xCallbackURL })
    func mutations(contract: Contract) throws {
        var random = SeededGenerator(seed: 0x7E57)
        let app = Emulated.app(contract, seed: 3)
        let messages = try [Scenario.completed, .empty].map { try app.answers($0)[0].query }
        var count = 0
        for round in 0..<1500 {
            let bytes = random.mutation(of: messages[round % 2], with: messages[1 - round % 2])
            let callback = Callback(target: Array("/?".utf8) + bytes)
            let decoding = Decoding(of: callback, from: contract.vendor)
            let isSame =
                switch contract {
                case .welltoryDDS: Self.isSame(decoding, WelltoryMeasurement.init, \.callbackQuery)
                case .flux: Self.isSame(decoding, FluxCallback.init, \.callbackQuery)
                case .dimmy2024: Self.isSame(decoding, DimmyCallback.init, \.callbackQuery)
                default: Self.isSame(decoding, AiletReport.init, \.callbackQuery)
                }
            if isSame == false { Issue.record("\(String(decoding: bytes, as: UTF8.self))") }
            if isSame != nil { count += 1 }
        }
        #expect(count > 50)
    }

    /// Whether what was read is read again from what it writes; nil when not all could be read.
    private static func isSame<Value: Equatable>(
        _ decoding: Decoding, _ read: (Decoding) -> Value?, _ query: KeyPath<Value, [UInt8]>
    ) -> Bool? {
        guard let value = read(decoding), let vendor = decoding.contract?.vendor,
            !decoding.diagnostics.contains(where: { $0.severity == .error })
        else { return nil }
        let target = Array("/?".utf8) + value[keyPath: query]
        return read(Decoding(of: Callback(target: target), from: vendor)) == value
    }

    /// What a query is as a link and as a form.
    ///
    /// A form turns a raw plus sign into a space, which the decoder repairs in Base64.
    private static func decodings(of query: [UInt8], _ vendor: Vendor) -> [Decoding] {
        [
            Decoding(of: Callback(target: Array("app://x?".utf8) + query), from: vendor),
            Decoding(of: Callback(target: [], body: .form(query)), from: vendor),
        ]
    }
}

@Suite("Typed values")
struct TypedValueTests {
    @Test("read the published reports", arguments: [true, false])
    func report(hasTask: Bool) throws {
        let text = hasTask ? Published.ailetReportWithTask : Published.ailetReportWithoutTask
        let report = try #require(AiletReport(Decoding(json: text, from: .ailet)))
        #expect(report.status == "IR_RESULT_OK" && report.statusCode == 1)
        #expect(report.outcome == .completed)
        #expect(report.taskID == (hasTask ? "TASKID1" : nil))
        #expect(report.visitID == "q")
        let photo = try #require(report.content?.photos?.first)
        #expect(photo.id == "602cb5b7098ee-9451" && photo.error?.code?.number == 1)
        #expect(photo.products?.first?.price == .string("46"))
        #expect(photo.products?.first?.price?.number == 46)
        #expect(photo.products?.first?.width?.centimetres == 16)
        #expect(report.content?.assortment?.first?.priceType == .boolean(false))
        #expect(report.content?.assortment?.first?.priceType?.number == 0)
        #expect(report.content?.custom?.text == Array("[]".utf8))
        #expect(report.content?.visitStatistics?.photos?.completed == 1)
    }

    @Test("read the published items")
    func items() throws {
        let dimmy = try #require(DimmyCallback(Decoding(url: Published.dimmyURL, from: .dimmy)))
        #expect(dimmy.item.id == "6592008029c8c3e4dc76256c")
        #expect(dimmy.item.firstBox?.width == 0.42 && dimmy.item.firstBox?.unit == nil)
        #expect(dimmy.item.photoURLs == ["https://images.example/ÿþ?a=1&b=~~>>"])
        let flux = try #require(FluxCallback(Decoding(url: Published.fluxURL, from: .dimmy)))
        guard case .completed(let item) = flux.result else { return #expect(Bool(false)) }
        #expect(item.firstBox?.depth == 3 && item.firstBox?.unit == "m")
        #expect(item.startedAt == "2026-02-03T09:00:00Z" && item.barcodes.isEmpty)
        #expect(flux.context == ["order": "4711"])
    }

    @Test("read the published measurement")
    func measurement() throws {
        let decoding = Decoding(url: Published.welltoryURL, from: .welltory)
        let measurement = try #require(WelltoryMeasurement(decoding))
        #expect(measurement.stress == 0.32 && measurement.power == 100)
        #expect(measurement.stressColour == .green && measurement.productivityColour == .red)
        #expect(measurement.token == nil)
    }

    @Test(
        "keep what can be read when something can't",
        arguments: [
            ("stress=0,32&energy=0.5&stress_c=mauve", nil, 0.5, .other("mauve")),
            ("stress=2&energy=nan", 2, nil, nil), ("stress=1e400&energy=-0", nil, 0, nil),
        ] as [(String, Double?, Double?, WelltoryMeasurement.Colour?)])
    func partly(
        query: String, stress: Double?, energy: Double?, colour: WelltoryMeasurement.Colour?
    ) throws {
        let decoding = Decoding(url: "?" + query, from: .welltory)
        let measurement = try #require(WelltoryMeasurement(decoding))
        #expect(measurement.stress == stress && measurement.energy == energy)
        #expect(measurement.stressColour == colour)
    }

    @Test(
        "leave out members of another type",
        arguments: [
            #"{"status":"IR_ERROR","photosCounter":"1","report":{"photos":[],"custom":7}}"#,
            #"{"status":"IR_ERROR","photosCounter":1.5,"report":{"photos":1,"custom":7}}"#,
            #"{"status":"IR_ERROR","photosCounter":null,"report":{"visit_stats":[],"custom":7}}"#,
        ])
    func otherTypes(json: String) throws {
        let report = try #require(AiletReport(Decoding(json: json, from: .ailet)))
        #expect(report.status == "IR_ERROR" && report.photosCounter == nil)
        #expect(report.content?.photos == nil && report.content?.visitStatistics == nil)
        #expect(report.content?.custom?.text == Array("7".utf8))
    }

    @Test(
        "give loose scalars their number",
        arguments: [
            (.number("46"), 46, "46"), (.number("46.50"), 46.5, "46.50"),
            (.string("46"), 46, "\"46\""),
            (.string("RESULT_OK"), nil, "\"RESULT_OK\""), (.string(""), nil, "\"\""),
            (.string("0x1F"), nil, "\"0x1F\""), (.string("nan"), nil, "\"nan\""),
            (.string(" 1"), nil, "\" 1\""), (.boolean(true), 1, "true"),
            (.boolean(false), 0, "false"), (.number("1e999"), nil, "\"1e999\""),
            (.number("x"), nil, "\"x\""),
        ] as [(LooseScalar, Double?, String)])
    func looseScalars(scalar: LooseScalar, number: Double?, json: String) {
        #expect(scalar.number == number)
        var code = AiletReport.Message()
        code.code = scalar
        #expect(String(decoding: code.json(), as: UTF8.self) == #"{"code":\#(json)}"#)
    }

    @Test(
        "are nil for another contract's message",
        arguments: [
            "?status=cancelled", "?stress=1", "?response=e30", "?result={\"status\":\"\"}", "",
        ])
    func otherContract(url: String) {
        let count = [Vendor.dimmy, .welltory, .ailet].map { vendor -> Int in
            let decoding = Decoding(url: url, from: vendor)
            return [
                FluxCallback(decoding) != nil, DimmyCallback(decoding) != nil,
                WelltoryMeasurement(decoding) != nil, AiletReport(decoding) != nil,
            ].count { $0 }
        }
        #expect(count.reduce(0, +) == (url.isEmpty ? 0 : 1))
    }

    @Test(
        "spell names in camelCase, but for a leading underline",
        arguments: [
            ("started_at", "startedAt"), ("_id", "_id"), ("code", "code"),
            ("flow_step_id", "flowStepId"),
        ])
    func spelling(name: String, camel: String) {
        #expect(NameSpelling.camelCase.spelled(name) == camel)
        #expect(NameSpelling.snakeCase.spelled(name) == name)
    }

    @Test("make the bodies of Flux's webhooks")
    func webhooks() throws {
        let ids = WebhookMessage.itemsScanned(ids: ["66f1", "66f2"])
        #expect(ids.event == "items.scanned")
        #expect(String(decoding: ids.body, as: UTF8.self) == #"{"item_ids":["66f1","66f2"]}"#)
        let none = WebhookMessage.itemsScanned(ids: [])
        #expect(String(decoding: none.body, as: UTF8.self) == #"{"item_ids":[]}"#)
        let item = Emulated.app(.dimmy2024).item
        let full = WebhookMessage.fullItem(item)
        #expect(full.event == "item.scanned.full_payload")
        let root = try JSONDocument(parsing: full.body).root
        #expect(root["started_at"]?.string == item.startedAt && root["_id"]?.string == item.id)
        #expect(ScannedItem(reading: root, usually: .camelCase) == item)
    }
}
