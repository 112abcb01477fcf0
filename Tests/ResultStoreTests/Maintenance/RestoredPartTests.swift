// A part of a day is restored from a backup after the day's parts have become one file: what was
// erased or decoded again since stays so.

import Foundation
import Testing

@testable import ResultStore

@Suite struct RestoredPartTests {
    private static let day = "results/2024-12-21"

    /// A day in three parts, which compaction has made one file.
    ///
    /// The third part erases the fourth record, and has the second and the fifth one decoded again,
    /// the fifth one twice.
    private struct Day {
        let folder: TemporaryFolder
        let settings: StoreSettings
        let suffix: String
        /// The second and the third part as they were.
        var backup: [String: [UInt8]] = [:]
        var last = 0

        init(compresses: Bool) async throws {
            folder = try TemporaryFolder()
            suffix = compresses ? ".gz" : ""
            var settings = StoreSettings()
            settings.compresses = compresses
            self.settings = settings
            let store = try ResultStore(folder, settings: settings)
            let records = (1...9).map { number in
                sampleRecord(number, at: sampleDay(-700), name: "quoll\(number)quoll")
            }
            var receipts: [Receipt] = []
            for (index, record) in records.enumerated() {
                if [3, 6].contains(index) { _ = store.journal.endSegment(before: nil) }
                receipts.append(try await store.append(record))
            }
            for index in [1, 4, 4] {
                var receipt = receipts[index]
                if index == 4 { receipt = Receipt(id: receipt.id, sequence: last) }
                let again = records[index].decodedAgain(after: receipt)
                last = try await store.append(again).number
            }
            #expect(try await store.erase(receipts[3].id))
            for part in 2...3 {
                let name = "\(RestoredPartTests.day)-\(part).jsonl"
                backup[name] = try folder.bytes(of: name)
            }
            #expect(try await store.compact().mergedSegments == 2)
            last = store.lastSequence ?? 0
            await store.close()
            #expect(try folder.names(in: "results") == ["2024-12-21.jsonl" + suffix])
        }

        func expectRestored(_ store: ResultStore) async throws {
            #expect(try await store.numbers().sorted() == [1, 2, 3, 5, 6, 7, 8, 9])
            #expect(store.lastSequence == last)
        }
    }

    @Test(arguments: [[2], [3], [2, 3]], [false, true])
    func nothingComesBackWithAPart(parts: [Int], compresses: Bool) async throws {
        let day = try await Day(compresses: compresses)
        for part in parts {
            let name = "\(Self.day)-\(part).jsonl"
            try day.folder.write(try #require(day.backup[name]), to: name)
        }
        var store = try ResultStore(day.folder, settings: day.settings)
        #expect(store.recovery.rebuildReason == "2024-12-21-\(parts[0]).jsonl has come back")
        try await day.expectRestored(store)
        let report = try await store.compact()
        #expect(report.failures.isEmpty && report.rebuildReason == nil)
        try await day.expectRestored(store)
        await store.close()

        let verified = try StoreVerification.run(folder: day.folder.path, catalog: sampleCatalog)
        #expect(verified.findings.isEmpty)
        try day.folder.remove("index.sqlite")
        store = try ResultStore(day.folder, settings: day.settings)
        try await day.expectRestored(store)
        // Each line is there once.
        let inbox = try await store.erase(inbox: "default")
        #expect(inbox == 8)
        _ = try await store.compact()
        await store.close()
        for name in try day.folder.names(in: "results") {
            let bytes = try day.folder.bytes(of: "results/" + name)
            #expect(!String(decoding: bytes, as: UTF8.self).contains("quoll"))
        }
    }

    @Test func aLineThatTheDayHasLostComesBackAndStays() async throws {
        let day = try await Day(compresses: false)
        let merged = Self.day + ".jsonl"
        var lines = try day.folder.bytes(of: merged).split(separator: UInt8(ascii: "\n"))
        let lost = lines.firstIndex { line in
            String(decoding: line, as: UTF8.self).contains("quoll6quoll")
        }
        lines.remove(at: try #require(lost))
        try day.folder.write(
            lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")], to: merged)
        let part = Self.day + "-2.jsonl"
        try day.folder.write(try #require(day.backup[part]), to: part)
        for _ in 1...2 {
            let store = try ResultStore(day.folder, settings: day.settings)
            try await day.expectRestored(store)
            #expect(try await store.compact().failures.isEmpty)
            try await day.expectRestored(store)
            await store.close()
            let verified = try StoreVerification.run(
                folder: day.folder.path, catalog: sampleCatalog)
            #expect(verified.findings.isEmpty)
            try day.folder.remove("index.sqlite")
        }
    }

    @Test func ofRecordsWithTheSameNumberThoseOfTheEarlierFileCount() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("results")
        var ids: [[RecordID]] = []
        for day in [-700, -699] {
            let other = try TemporaryFolder()
            let store = try ResultStore(other)
            var receipts: [Receipt] = []
            for number in 1...3 {
                receipts.append(try await store.append(sampleRecord(number, at: sampleDay(day))))
            }
            ids.append(receipts.map(\.id))
            await store.close()
            for name in try other.names(in: "results") {
                try folder.write(try other.bytes(of: "results/" + name), to: "results/" + name)
            }
        }
        let store = try ResultStore(folder)
        #expect(try await store.numbers().sorted() == [1, 2, 3])
        for id in ids[0] { #expect(try await store.line(of: id) != nil) }
        for id in ids[1] { #expect(try await store.line(of: id) == nil) }
        #expect(try await store.compact().failures.isEmpty)
        await store.close()
    }
}
