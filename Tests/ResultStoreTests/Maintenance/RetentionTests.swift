// What is kept no longer: by age, by the bytes of all files, by the number of an inbox's results.

import Clocks
import Testing

@testable import ResultStore

@Suite struct RetentionTests {
    private func daysAgo(_ days: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - days * 86_400_000)
    }

    @Test(arguments: [true, false])
    func resultsThatAreTooOldAreErased(compresses: Bool) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = compresses
        settings.retentionMilliseconds = 5 * 86_400_000
        let store = try ResultStore(folder, settings: settings)
        for (number, days) in [9, 8, 6, 4, 1, 0, 7].enumerated() {
            _ = try await store.append(sampleRecord(number, at: daysAgo(Int64(days))))
        }
        let report = try await store.compact()
        // The last one came late, with the segment of today.
        #expect(report.expiredResults == 4 && report.removedLines == 4)
        #expect(try await store.numbers() == [5, 4, 3])
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
        let again = try ResultStore(folder, settings: settings)
        #expect(try await again.numbers() == [5, 4, 3])
        await again.close()
    }

    @Test func theOldestResultsAreErasedWhenTheFilesAreTooLarge() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = false
        settings.retentionBytes = 13_000
        let store = try ResultStore(folder, settings: settings)
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
        // Whole days go, the oldest first; what is left fits but for less than a day.
        #expect(after == Array(before.prefix(after.count)))
        let bytes = try folder.names(in: "results").reduce(0) {
            try $0 + folder.bytes(of: "results/\($1)").count
        }
        #expect(bytes <= 13_000 && bytes > 13_000 - 6_000)
        #expect(try await store.compact().expiredResults == 0)
        await store.close()
    }

    @Test func anInboxKeepsItsNewestResults() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.retentionInboxResults = 3
        let store = try ResultStore(folder, settings: settings)
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
}
