// What is kept no longer: by age, by the bytes of all files, by the number of an inbox's results.

import Clocks
import Testing

@testable import ResultStore

@Suite struct RetentionTests {
    private func daysAgo(_ days: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - days * 86_400_000)
    }

    private static func keeping(_ results: Int) -> StoreSettings {
        var settings = StoreSettings()
        settings.retentionInboxResults = results
        return settings
    }

    @Test(arguments: [(StoreKind.files, true), (.files, false), (.database, false)])
    func resultsThatAreTooOldAreErased(kind: StoreKind, compresses: Bool) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = compresses
        settings.retentionMilliseconds = 5 * 86_400_000
        let store = try kind.open(folder, settings: settings)
        for (number, days) in [9, 8, 6, 4, 1, 0, 7].enumerated() {
            _ = try await store.append(sampleRecord(number, at: daysAgo(Int64(days))))
        }
        let report = try await store.compact()
        // The last one came late, with the segment of today.
        #expect(report.expiredResults == 4 && report.failures.isEmpty)
        if kind == .files { #expect(report.removedLines == 4) }
        #expect(try await store.numbers() == [5, 4, 3])
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
        let again = try kind.open(folder, settings: settings)
        #expect(try await again.numbers() == [5, 4, 3])
        await again.close()
    }

    @Test func whatWouldExpireWithinTheNextHourExpiresWithWhatMust() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.retentionMilliseconds = 5 * 86_400_000
        let store = try ResultStore(folder, settings: settings)
        func append(_ number: Int, minutesAfterLimit minutes: Int64) async throws {
            let moment = daysAgo(5).unixMilliseconds + minutes * 60_000
            _ = try await store.append(
                sampleRecord(number, at: Timestamp(unixMilliseconds: moment)))
        }
        try await append(1, minutesAfterLimit: 90)
        try await append(2, minutesAfterLimit: 30)
        #expect(try await store.compact().expired.byAge == 0)
        try await append(3, minutesAfterLimit: -1)
        #expect(try await store.compact().expired.byAge == 2)
        #expect(try await store.numbers() == [1])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func anInboxWithTooManyResultsLosesASixteenthMore(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder, settings: Self.keeping(32))
        _ = try await store.append((1...32).map { sampleRecord($0) })
        #expect(try await store.compact().expiredResults == 0)
        _ = try await store.append(sampleRecord(33))
        #expect(try await store.compact().expired.byCount == 3)
        #expect(try await store.numbers() == (4...33).reversed())
        _ = try await store.append((34...35).map { sampleRecord($0) })
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func theOldestResultsAreErasedWhenTheFilesAreTooLarge(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = false
        settings.retentionBytes = 13_000
        let store = try kind.open(folder, settings: settings)
        for number in 1...40 {
            let moment = Timestamp(
                unixMilliseconds: daysAgo(Int64(9 - number / 5)).unixMilliseconds + Int64(number))
            _ = try await store.append(sampleRecord(number, at: moment, padding: 700))
        }
        let before = try await store.numbers()
        #expect(before.count == 40)
        let report = try await store.compact()
        let after = try await store.numbers()
        #expect(report.expiredResults == 40 - after.count && report.expiredResults > 20)
        // The oldest go, and a little more than must.
        #expect(after == Array(before.prefix(after.count)))
        if kind == .files {
            let bytes = try folder.names(in: "results").reduce(0) {
                try $0 + folder.bytes(of: "results/\($1)").count
            }
            #expect(bytes <= 13_000 && bytes > 13_000 - 3_000)
        }
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func anInboxKeepsItsNewestResults(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(3)
        let store = try kind.open(folder, settings: settings)
        for number in 1...10 {
            _ = try await store.append(
                sampleRecord(number, inbox: number % 3 == 0 ? "third" : "rest"))
        }
        let report = try await store.compact()
        #expect(report.expiredResults == 4)
        #expect(try await store.numbers() == [10, 9, 8, 7, 6, 3])
        #expect(try await store.inboxes().map(\.count) == [3, 3])
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
    }

    @Test(arguments: [true, false], StoreKind.allCases)
    func aFloodIntoOneInboxCostsNoOtherItsResults(
        isUnmatched: Bool, kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = false
        settings.retentionBytes = 100_000
        let store = try kind.open(folder, settings: settings)
        for number in 1...20 {
            _ = try await store.append(sampleRecord(number, inbox: "honest", at: daysAgo(3)))
        }
        for number in 101...400 {
            _ = try await store.append(
                sampleRecord(
                    number, inbox: "flooded", at: daysAgo(1), padding: 500,
                    verdict: isUnmatched ? "unmatched" : "decoded"))
        }
        let report = try await store.compact()
        #expect(report.expired.byBytes > 100 && report.expired.inboxes == ["flooded"])
        #expect(report.expired.unmatched == (isUnmatched ? report.expired.byBytes : 0))
        let left = try await store.numbers(.compare(.inbox, .equal, .text("honest")))
        #expect(left.sorted() == Array(1...20))
        // The newest of the flood are kept.
        let flood = try await store.numbers(.compare(.inbox, .equal, .text("flooded")))
        #expect(flood == Array((401 - flood.count...400).reversed()))
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
        // A rebuilt index has the same results.
        let again = try kind.openWithNewIndex(folder, settings: settings)
        #expect(try await again.numbers() == flood + left)
        #expect(try await again.verify().findings.isEmpty)
        await again.close()
        guard kind == .files else { return }
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }

    @Test func importedResultsOfLongAgoSayNothingOfTheTime() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder: folder.path, catalog: sampleCatalog)
        let old = sampleDay(-3000)
        _ = try await store.append((1...101).map { sampleRecord($0) })
        _ = try await store.append((102...300).map { sampleRecord($0, at: old) })
        let moments = try await store.index.newestMoments()
        #expect(moments.count == 101 && !moments.contains(old))
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func unmatchedResultsGoBeforeOthersOfTheSameInbox(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(5)
        let store = try kind.open(folder, settings: settings)
        for number in 1...4 { _ = try await store.append(sampleRecord(number)) }
        for number in 11...20 {
            _ = try await store.append(sampleRecord(number, verdict: "unmatched"))
        }
        let report = try await store.compact()
        #expect(report.expired.byCount == 9 && report.expired.unmatched == 9)
        #expect(try await store.numbers() == [20, 4, 3, 2, 1])
        for number in 31...33 { _ = try await store.append(sampleRecord(number)) }
        #expect(try await store.compact().expired.byCount == 3)
        #expect(try await store.numbers() == [33, 32, 31, 4, 3])
        await store.close()
        let again = try kind.openWithNewIndex(folder, settings: settings)
        #expect(try await again.numbers() == [33, 32, 31, 4, 3])
        await again.close()
    }

    @Test(arguments: StoreKind.allCases)
    func attemptsToDeliverGoBeforeCallbacksOfTheSameInbox(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(5)
        let store = try kind.open(folder, settings: settings)
        for number in 1...4 {
            _ = try await store.append(sampleRecord(number, verdict: "unmatched"))
        }
        for number in 11...17 {
            var attempt = sampleRecord(number, verdict: "unmatched")
            attempt.kind = .delivery
            _ = try await store.append(attempt)
        }
        let report = try await store.compact()
        #expect(report.expired.byCount == 6 && report.expired.unmatched == 6)
        #expect(try await store.numbers() == [17, 4, 3, 2, 1])
        // Beyond them, callbacks go as always.
        for number in 21...22 {
            _ = try await store.append(sampleRecord(number, verdict: "unmatched"))
        }
        #expect(try await store.compact().expired.byCount == 2)
        #expect(try await store.numbers() == [22, 21, 4, 3, 2])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        let again = try kind.openWithNewIndex(folder, settings: settings)
        #expect(try await again.numbers() == [22, 21, 4, 3, 2])
        #expect(try await again.verify().findings.isEmpty)
        await again.close()
        guard kind == .files else { return }
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func whatWasReceivedFirstExpiresFirstThoughItWasStoredLastOrDecodedAgain(
        kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(6)
        let store = try kind.open(folder, settings: settings)
        let receipts = try await store.append((2...7).map { sampleRecord($0) })
        for number in 2...4 {
            let receipt = receipts[number - 2]
            _ = try await store.append(sampleRecord(number).decodedAgain(after: receipt))
        }
        _ = try await store.append(sampleRecord(1))
        for number in 8...9 { _ = try await store.append(sampleRecord(number)) }
        #expect(try await store.compact().expired.byCount == 3)
        #expect(try await store.numbers() == [9, 8, 7, 6, 5, 4])
        #expect(try await store.compact().expiredResults == 0)
        #expect(try await store.verify().findings.isEmpty)
        // The flows of an inbox go on when old results expire.
        let news = try await store.flowNews(after: 0)
        #expect(news?.erasedInboxes == (kind == .files ? nil : []))
        await store.close()
        let again = try kind.openWithNewIndex(folder, settings: settings)
        #expect(try await again.numbers() == [9, 8, 7, 6, 5, 4])
        await again.close()
    }

    @Test(arguments: StoreKind.allCases)
    func ofResultsOfOneMillisecondNoMoreExpireThanMust(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(4)
        let store = try kind.open(folder, settings: settings)
        let records = (1...10).map { sampleRecord($0, at: sampleMoment) }
        let receipts = try await store.append(records)
        _ = try await store.append(records[0].decodedAgain(after: receipts[0]))
        #expect(try await store.compact().expired.byCount == 6)
        #expect(try await store.numbers() == [10, 9, 8, 1])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func whatExpiresAsUnmatchedDoesNotComeBackAsItWasDecodedBefore(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let settings = Self.keeping(2)
        let store = try kind.open(folder, settings: settings)
        let first = sampleRecord(1, name: "quokka")
        var again = first.decodedAgain(after: try await store.append(first))
        again.verdict = Erasure.unmatchedVerdict
        _ = try await store.append(again)
        for number in 2...3 { _ = try await store.append(sampleRecord(number)) }
        #expect(try await store.compact().expired.unmatched == 1)
        #expect(try await store.numbers() == [3, 2])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        if kind == .files {
            for name in try folder.names(in: "results") {
                let text = String(decoding: try folder.bytes(of: "results/\(name)"), as: UTF8.self)
                #expect(!text.contains("quokka"))
            }
        }
        let reopened = try kind.openWithNewIndex(folder, settings: settings)
        #expect(try await reopened.numbers() == [3, 2])
        await reopened.close()
    }

    private func stray(_ number: Int, padding: Int = 0) -> NewRecord {
        var record = sampleRecord(number, padding: padding)
        record.kind = .stray
        record.verdict = Erasure.unmatchedVerdict
        return record
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestStraysAreKeptAndNoResultGoesForThem(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        for number in 1...5 { _ = try await store.append(sampleRecord(number)) }
        _ = try await store.appendMissing((0..<(Limits.strays + 50)).map { stray($0) })
        let report = try await store.compact()
        #expect(report.expired.strays == 50 + Limits.strays / 16)
        #expect(report.expiredResults == report.expired.strays)
        let left = Limits.strays - Limits.strays / 16
        #expect(try await store.inboxes(of: [.stray]).map(\.count) == [left])
        #expect(try await store.inboxes(of: [.callback]).map(\.count) == [5])
        #expect(try await store.compact().expiredResults == 0)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        for name in try folder.names(in: "")
        where kind == .files && name.hasPrefix("index.sqlite") {
            try folder.remove(name)
        }
        let again = try kind.open(folder)
        #expect(try await again.inboxes(of: [.stray]).map(\.count) == [left])
        await again.close()
    }

    @Test(arguments: StoreKind.allCases)
    func straysGoBeforeResultsWhenTheFilesAreTooLarge(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = false
        settings.retentionBytes = 13_000
        settings.retentionInboxResults = 10
        let store = try kind.open(folder, settings: settings)
        for number in 1...10 {
            _ = try await store.append(sampleRecord(number, padding: 700))
            _ = try await store.append(stray(number, padding: 700))
        }
        let report = try await store.compact()
        #expect(report.expired.strays > 0 && report.expired.byBytes == 0)
        #expect(report.expired.byCount == 0)
        #expect(try await store.inboxes(of: [.callback]).map(\.count) == [10])
        await store.close()
    }

    @Test func sharesFreeWhatIsAskedForFromTheLargest() {
        func holding(
            _ inbox: String, _ part: RetentionBudget.Part, _ bytes: Int64
        ) -> ResultIndex.Holding {
            .init(inbox: inbox, part: part, count: 1, bytes: bytes)
        }
        let holdings = [
            holding("a", .matched, 1000), holding("b", .matched, 400), holding("c", .matched, 100),
            holding("a", .unmatched, 50), holding("c", .unmatched, 200),
            holding("d", .deliveries, 10),
        ]
        func shares(_ amount: Int64) -> [String] {
            RetentionBudget.shares(holdings, freeing: amount).map {
                "\($0.inbox)\($0.part == .unmatched ? "?" : "") \($0.amount)"
            }
        }
        #expect(shares(5) == ["d 5"])
        #expect(shares(110) == ["d 10", "c? 100"])
        #expect(shares(260) == ["d 10", "c? 200", "a? 50"])
        #expect(shares(360) == ["d 10", "c? 200", "a? 50", "a 100"])
        #expect(shares(1060) == ["d 10", "c? 200", "a? 50", "a 700", "b 100"])
        #expect(shares(9999) == ["d 10", "c? 200", "a? 50", "a 1000", "b 400", "c 100"])
        #expect(shares(0).isEmpty)
    }
}
