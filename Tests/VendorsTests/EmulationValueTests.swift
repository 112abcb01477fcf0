// The values that emulated apps make up: repeatable, plausible, consistent, and the launch's own ids.
// Left out: which answers there are; that is in `EmulationTests`.

import JSON
import Testing

@testable import Vendors

@Suite("Emulated values")
struct EmulationValueTests {
    private static let seeds: Range<UInt64> = 0..<300

    @Test("are the same bytes for the same seed, launch and time", arguments: Emulated.contracts)
    func repeatable(contract: Contract) throws {
        for seed in 0..<5 as Range<UInt64> {
            for scenario in [Scenario.completed, .stale, .huge] {
                let first = try Emulated.app(contract, seed: seed).answers(scenario)
                let second = try Emulated.app(contract, seed: seed).answers(scenario)
                #expect(first.map(\.query) == second.map(\.query))
            }
            let other = try Emulated.app(contract, seed: seed + 1).answers(.completed)
            #expect(
                try Emulated.app(contract, seed: seed).answers(.completed).first?.query
                    != other.first?.query)
        }
    }

    @Test("stay the same from version to version")
    func pinned() throws {
        let measurement = Emulated.app(.welltoryDDS, seed: 42, ["order": nil]).measurement
        #expect(
            String(decoding: measurement.callbackQuery, as: UTF8.self)
                == "stress=0.05&energy=1&productivity=0.84&rmssd=119.7&sdnn=124.4&power=35"
                + "&stress_c=green&productivity_c=green&energy_c=green"
                + "&token=3c593788a3171bf19914bcfbcdaca614")
    }

    @Test("of a launch as its link says, as the whole way shows")
    func launch() throws {
        let launch = try Launch(
            .flux,
            [
                Launch.Parameter("flowName", "Inbound"), Launch.Parameter("code", "A-2041"),
                Launch.Parameter("callback", "https://wms.example.com/flux"),
            ])
        let app = VendorApp(launch, seed: 1, at: Emulated.time)
        let answer = try #require(try app.answers(.completed).first)
        let callback = FluxCallback(answer.decoding(.flux))
        #expect(callback?.result == .completed(app.item))
        #expect(app.item.code == "A-2041")
        #expect(
            VendorApp(launch, seed: 1, at: Emulated.time).item == Emulated.app(.flux, seed: 1).item)
    }

    @Test("of Welltory lie from 0 to 1 or in milliseconds, with colours that agree")
    func measurements() throws {
        var colours: Set<WelltoryMeasurement.Colour> = []
        for seed in Self.seeds {
            let measurement = Emulated.app(.welltoryDDS, seed: seed).measurement
            for (number, colour, isGoodWhenHigh) in [
                (measurement.stress, measurement.stressColour, false),
                (measurement.energy, measurement.energyColour, true),
                (measurement.productivity, measurement.productivityColour, true),
            ] {
                let (number, colour) = (try #require(number), try #require(colour))
                colours.insert(colour)
                let goodness = isGoodWhenHigh ? number : 1 - number
                let isRight =
                    switch colour {
                    case .green: 0.595...1 ~= goodness
                    case .yellow: 0.295..<0.6 ~= goodness
                    case .red: 0..<0.3 ~= goodness
                    default: false
                    }
                if !isRight { Issue.record("\(number) is \(colour)") }
            }
            let rmssd = try #require(measurement.rmssd)
            let sdnn = try #require(measurement.sdnn)
            if !(15...120 ~= rmssd && 10...150 ~= sdnn) { Issue.record("\(rmssd), \(sdnn) ms") }
            if measurement.token?.count != 32 { Issue.record("\(measurement.token ?? "nil")") }
        }
        #expect(colours == [.green, .yellow, .red])
    }

    @Test("of Welltory bring back what else the launch said, but no result that it named")
    func echo() {
        let app = Emulated.app(.welltoryDDS, ["stress": "0.1", "order": "ä=&+%"])
        #expect(app.measurement.parameters == ["order": "ä=&+%"])
        #expect(app.measurement.stress != 0.1)
    }

    @Test("of items lie before the launch, in order", arguments: [Contract.flux, .dimmy2024])
    func items(contract: Contract) throws {
        let now = UTCText.zulu(Emulated.time)
        for seed in Self.seeds {
            let item = Emulated.app(contract, seed: seed).item
            let times = [
                item.startedAt, item.dimensioning?.first?.startedAt,
                item.dimensioning?.first?.endedAt, item.photographing?.first?.startedAt,
                item.photographing?.first?.photos?.first?.date,
                item.photographing?.first?.endedAt, item.endedAt, item.createdAt, item.updatedAt,
                now,
            ].compactMap(\.self)
            if times != times.sorted() || times.count < 8 { Issue.record("\(times)") }
            let box = try #require(item.firstBox)
            let metres = [box.width, box.height, box.depth].compactMap(\.self)
            if metres.count != 3 || !metres.allSatisfy({ 0.02...1.5 ~= $0 }) {
                Issue.record("\(metres)")
            }
            #expect(box.unit == (contract == .flux ? "m" : nil))
            #expect(item.code == "A-2041")
            #expect((item.barcodes == ["A-2041"]) == (contract == .dimmy2024))
            #expect((item.id == nil) == (contract == .flux))
        }
    }

    @Test(
        "of items without a main bar code, which Flux doesn't know, have an in-house EAN-13",
        arguments: [
            (.flux, nil), (.flux, "A-2041"), (.dimmy2024, nil),
        ] as [(Contract, String?)])
    func barcode(contract: Contract, code: String?) throws {
        for seed in Self.seeds {
            let item = Emulated.app(contract, seed: seed, ["code": code]).item
            let digits = try #require(item.barcodes.first).compactMap(\.wholeNumberValue)
            let sum = digits.enumerated().reduce(0) {
                $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3)
            }
            #expect(item.code == code)
            if digits.count != 13 || digits.prefix(3) != [2, 0, 0] || sum % 10 != 0 {
                Issue.record("\(digits)")
            }
        }
    }

    @Test(
        "of Dimmy name the launch's flow, unless it was the device's own",
        arguments: [("abc", "abc"), ("default", nil)] as [(String, String?)])
    func flow(flow: String, id: String?) {
        #expect(Emulated.app(.dimmy2024, ["flow": flow]).item.flowID == id)
    }

    @Test("of Dimmy travel in standard Base64 that nobody escaped")
    func standardBase64() throws {
        let queries = try (0..<50 as Range<UInt64>).compactMap { seed in
            try Emulated.app(.dimmy2024, seed: seed).answers(.completed).first?.query
        }
        #expect(queries.allSatisfy { !$0.contains(UInt8(ascii: "%")) })
        #expect(queries.contains { $0.last == UInt8(ascii: "=") })
    }

    @Test("of Ailet bring back the launch's ids and are consistent inside")
    func reports() throws {
        for seed in Self.seeds {
            let app = Emulated.app(.ailetDeeplink, seed: seed)
            for progress in [VendorApp.Progress.completed, .inProgress, .empty] {
                let report = app.visitReport(progress)
                #expect(report.visitID == "visit-204" && report.taskID == "task-3")
                #expect(report.storeID == "store-7" && report.userID == nil)
                #expect(report.outcome == progress.status.outcome)
                try check(report)
            }
            let huge = app.visitReport(.completed, photos: VendorApp.mostPhotos)
            if seed < 10 { try check(huge) }
        }
    }

    private func check(_ report: AiletReport) throws {
        let content = try #require(report.content)
        let photos = content.photos ?? []
        let statistics = try #require(content.visitStatistics)
        let counts = try #require(statistics.photos)
        let ids = Set(photos.map(\.id))
        let total = photos.count
        let shelf = photos.flatMap { $0.products ?? [] }
        let facings = shelf.compactMap(\.facing).reduce(0, +)
        let share = content.shareOfShelf
        #expect(content.shareOfShelfByMetric == share.map { [$0] })
        let isConsistent =
            ids.count == total && report.photosCounter == total
            && report.scenesCounter == Set(photos.compactMap(\.sceneID)).count
            && content.recognition?.photos == total && content.recognition?.visitID == "visit-204"
            && content.recognition?.internalVisitID == report.internalVisitID
            && content.recognition?.number == report.statusCode
            && statistics.waiting.map { ids.isSuperset(of: $0) && $0.count == counts.waiting }
                == true
            && counts.created == total
            && counts.completed == photos.count { $0.products != nil }
            && content.assortment?.compactMap(\.realFacings).reduce(0, +) ?? 0 == facings
            && Set(content.assortment?.map(\.externalID) ?? []) == Set(shelf.map(\.externalID))
            && share?.byBrands?.compactMap(\.value).reduce(0, +) ?? 0 == Double(facings)
            && share?.byCategories?.compactMap(\.value).reduce(0, +) ?? 0 == Double(facings)
            && share?.byVisit?.first?.visitID == (total == 0 ? nil : report.internalVisitID)
        if !isConsistent { Issue.record("\(report)") }
        #expect((content.photos == nil) == (report.status == "IR_RESULT_EMPTY"))
    }

    @Test("of a report in progress are those of the ready one, but for the last photo")
    func progress() throws {
        for seed in Self.seeds {
            let app = Emulated.app(.ailetDeeplink, seed: seed)
            let ready = try #require(app.visitReport(.completed).content?.photos)
            let early = try #require(app.visitReport(.inProgress).content?.photos)
            #expect(early.map(\.id) == ready.map(\.id))
            #expect(early.dropLast() == ready.dropLast())
            #expect(early.last?.products == nil && ready.last?.products != nil)
        }
    }

    @Test(
        "of Ailet depend on the method",
        arguments: [
            ("visit", .completed, true), ("report", .completed, true), ("sync", .completed, false),
            ("sync", .empty, false), ("syncCatalogs", .completed, false),
            ("sync", .error(code: nil), false), ("summaryReport", .completed, nil),
            ("showVisitReport", .completed, nil), ("sync", .inProgress, false),
        ] as [(String, Scenario, Bool?)])
    func methods(method: String, scenario: Scenario, hasVisit: Bool?) throws {
        let app = Emulated.app(.ailetDeeplink, ["method": method])
        let answers = try app.answers(scenario)
        #expect(answers.count == (hasVisit == nil ? 0 : 1))
        let report = answers.first.flatMap { AiletReport($0.decoding(.ailetDeeplink)) }
        #expect(report.map { $0.visitID != nil } == hasVisit)
        #expect(report.map { $0.content != nil } == hasVisit)
    }

    @Test("of a stale answer are older, and of another visit or code")
    func stale() throws {
        let report = Emulated.app(.ailetDeeplink).former.visitReport(.completed)
        #expect(report.visitID == "visit-204-former" && report.storeID == "store-7-former")
        let item = Emulated.app(.flux).former.item
        #expect(item.code == "A-2041-former")
        #expect(try #require(item.endedAt) < UTCText.zulu(Emulated.time - 80_000))
    }

    @Test(
        "are made for every time", arguments: [Int64.min, -1, 0, 1, 253_402_300_799, .max])
    func times(time: Int64) throws {
        for contract in Emulated.contracts {
            let answers = try Emulated.app(contract, at: time).answers(.outOfOrder)
            #expect(answers.first?.decoding(contract).verdict == .decoded)
        }
    }

    @Test(
        "write moments as the vendors do",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (1_773_061_331, "2026-03-09T13:02:11Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (.max, "9999-12-31T23:59:59Z"),
            (.min, "1970-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func moments(seconds: Int64, text: String) {
        #expect(UTCText.zulu(seconds) == text)
        let long = UTCText.microseconds(seconds, 4004)
        #expect(long == text.dropLast() + ".004004")
    }

    @Test(
        "bring back any text of the launch",
        arguments: ["\u{0}", "\"", "\\", "日本 👩‍💻", "a&b=c#d?e+f%zz", "\r\n", "\"width\":1,"])
    func anyText(text: String) throws {
        for text in [text, String(repeating: text, count: 500)] {
            let flux = Emulated.app(.flux, ["code": text])
            let item = try #require(try flux.answers(.completed).first)
            #expect(FluxCallback(item.decoding(.flux))?.result == .completed(flux.item))
            #expect(flux.item.code == text)
            #expect(Emulated.app(.dimmy2024, ["code": text]).item.barcodes == [text])
            let ailet = Emulated.app(.ailetDeeplink, ["visit_id": text, "task_id": text])
            let report = try #require(try ailet.answers(.completed).first)
            #expect(AiletReport(report.decoding(.ailetDeeplink)) == ailet.report)
            #expect(ailet.report.visitID == text)
            for layer in [Diagnostic.Layer.percent, .utf8, .json, .model] {
                for app in [flux, ailet] {
                    let broken = try #require(try app.answers(.malformed(layer)).first)
                    #expect(broken.decoding(app.contract).diagnostics.first?.layer == layer)
                }
            }
        }
    }

    @Test(
        "of webhooks are those of the callback, with the server's ids",
        arguments: [Scenario.completed, .empty, .huge, .duplicate(count: 2)])
    func storedItems(scenario: Scenario) throws {
        let app = Emulated.app(.flux)
        var stored = try #require(app.keptItem(scenario))
        #expect(stored.id?.count == 24 && stored.ownerID?.count == 24)
        #expect(try #require(stored.createdAt) < #require(stored.updatedAt))
        (stored.id, stored.ownerID, stored.scannerAccountID) = (nil, nil, nil)
        (stored.createdAt, stored.updatedAt) = (nil, nil)
        let callback = try #require(try app.answers(scenario).first)
        #expect(FluxCallback(callback.decoding(.flux))?.result == .completed(stored))
        let dimmy = Emulated.app(.dimmy2024)
        let answer = try #require(try dimmy.answers(scenario).first)
        let item = try #require(dimmy.keptItem(scenario))
        #expect(answer.query == dimmy.dimmy(item).query)
    }

    @Test("of webhooks are those that a person sends instead, or the scenario's without an item")
    func editedItems() throws {
        let app = Emulated.app(.flux)
        let usual = try #require(app.keptItem(.completed))
        var edited = app.item
        edited.customInputs = nil
        edited.dimensioning?[0].box?.width = 0.123
        let stored = try #require(app.keptItem(.completed, edited: edited.json(as: .camelCase)))
        #expect(stored.firstBox?.width == 0.123 && stored.customInputs == nil)
        #expect(stored.id == usual.id && stored.createdAt == usual.createdAt)
        #expect(stored.startedAt == app.item.startedAt)
        for text in ["", "{", "7", "\u{0}"] {
            #expect(app.keptItem(.completed, edited: Array(text.utf8)) == usual)
        }
        let id = Array(#"{"_id":"edited","started_at":"2026-03-09T13:02:11Z"}"#.utf8)
        #expect(Emulated.app(.dimmy2024).keptItem(.completed, edited: id)?.id == "edited")
    }

    @Test("are drawn by SplitMix64, as its authors' numbers show")
    func generator() {
        var random = SplitMix64(seed: 1_234_567)
        let known: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(known.map { _ in random.next() } == known)
        for _ in 0..<1000 {
            #expect((-3...3).contains(random.integer(in: -3...3)))
            #expect((.min ... .max).contains(random.integer(in: .min ... .max)))
        }
    }
}
