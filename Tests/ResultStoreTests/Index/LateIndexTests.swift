// Stores that are in use before their index has all of the segments.

import Clocks
import Foundation
import Testing

@testable import ResultStore

@Suite struct LateIndexTests {
    private static let segment = "results/2026-11-21.jsonl"

    /// Opens a store that waits for no byte of its index.
    private func openAtOnce(
        _ folder: TemporaryFolder, _ book: EventBook = EventBook()
    ) throws -> ResultStore {
        var settings = StoreSettings()
        settings.awaitedIndexBytes = 0
        return try ResultStore(
            folder: folder.path, catalog: sampleCatalog, settings: settings,
            onEvent: { book.note($0) })
    }

    private func fill(_ folder: TemporaryFolder, _ numbers: ClosedRange<Int>) async throws {
        let store = try ResultStore(folder)
        for number in numbers { _ = try await store.append(sampleRecord(number, padding: 200)) }
        await store.close()
    }

    /// Number of records that were read, once the index is complete.
    private func recordsRead(_ book: EventBook) async throws -> Int {
        for _ in 0..<1000 {
            for case .indexRebuilt(let records) in book.all { return records }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StoreError.closed
    }

    private func damage(in book: EventBook) -> [RecoveryReport.Damage] {
        book.all.compactMap { if case .damageFound(let damage) = $0 { damage } else { nil } }
    }

    @Test func aStoreWithoutAnIndexTakesRecordsAtOnceAndFindsAllOfThemLater() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...5000)
        try folder.remove("index.sqlite")
        let store = try openAtOnce(folder)
        #expect(store.recovery.lackingBytes == Int64(try folder.bytes(of: Self.segment).count))
        #expect(store.recovery.indexedRecords == 0)
        #expect(store.status.rebuilding != nil)
        for number in 5001...5050 {
            #expect(try await store.append(sampleRecord(number)).sequence == number)
        }
        #expect(try await store.numbersWhenReady() == (1...5050).reversed())
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        let again = try openAtOnce(folder)
        #expect(again.recovery.lackingBytes == 0)
        #expect(again.recovery.rebuildReason == nil)
        await again.close()
    }

    @Test func whatTheIndexHasIsKept() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...60)
        let store = try ResultStore(folder)
        // Its segment is in its second generation afterwards.
        let erased = try await store.page(of: ResultQuery(), limit: 60).lines.last
        let facts = try #require(erased.flatMap { store.facts(in: $0) })
        #expect(try await store.erase(facts.id))
        _ = try await store.compact()
        _ = try await store.append(sampleRecord(61))
        await store.close()
        let older = try folder.bytes(of: "index.sqlite")
        try await fill(folder, 62...80)
        try folder.write(older, to: "index.sqlite")
        let book = EventBook()
        let late = try openAtOnce(folder, book)
        #expect(late.recovery.rebuildReason == nil)
        #expect(try await late.append(sampleRecord(81)).sequence == 82)
        #expect(try await late.numbersWhenReady() == (2...81).reversed())
        #expect([19, 20].contains(try await recordsRead(book)))
        #expect(try await late.verify().findings.isEmpty)
        await late.close()
    }

    @Test func aTornEndIsCutOffBeforeAnythingIsAppended() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...300)
        let whole = try folder.bytes(of: Self.segment)
        // Longer than what is read of the end at first.
        let torn =
            Array(#"{"crc32":"deadbeef","id":"01"#.utf8)
            + Array(repeating: UInt8(ascii: "x"), count: 2 * Limits.outerLineBytes)
        try folder.write(whole + torn, to: Self.segment)
        try folder.remove("index.sqlite")
        let store = try openAtOnce(folder)
        #expect(store.recovery.torn?.size == Int64(torn.count))
        #expect(try await store.append(sampleRecord(301)).sequence == 301)
        #expect(try await store.numbersWhenReady() == (1...301).reversed())
        await store.close()
        #expect(try folder.bytes(of: "results/torn/2026-11-21.jsonl.\(whole.count)") == torn)
        #expect(try folder.bytes(of: Self.segment).prefix(whole.count) == whole[...])
    }

    @Test func damageIsReportedAndReadOnce() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...9)
        var bytes = try folder.bytes(of: Self.segment)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        bytes[ends[1] + 40] ^= 0xFF
        // The last line, which a later segment follows.
        bytes[ends[7] + 40] ^= 0xFF
        try folder.write(bytes, to: Self.segment)
        let store = try ResultStore(folder)
        let nextDay = Timestamp(
            unixMilliseconds: sampleMoment.unixMilliseconds + 86_400_000)
        _ = try await store.append(sampleRecord(10, at: nextDay))
        await store.close()
        try folder.write(bytes, to: Self.segment)
        try folder.remove("index.sqlite")
        let book = EventBook()
        let late = try openAtOnce(folder, book)
        #expect(late.recovery.damage.isEmpty)
        _ = try await recordsRead(book)
        let damage = damage(in: book)
        #expect(damage.count == 2)
        #expect(
            Set(damage.map(\.offset)) == [Int64(ends[1] + 1), Int64(ends[7] + 1)], "\(damage)")
        #expect(try await late.numbersWhenReady() == [10, 8, 7, 6, 5, 4, 2, 1])
        #expect(try await late.damagedFiles() == [Self.segment])
        await late.close()
        // The skipped end isn't read again.
        let again = try openAtOnce(folder)
        #expect(again.recovery.lackingBytes == 0)
        await again.close()
    }

    @Test func aStoreThatIsClosedBeforeItsIndexIsCompleteGoesOnAtTheNextOpening() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...9000)
        try folder.remove("index.sqlite")
        for number in 9001...9005 {
            let store = try openAtOnce(folder)
            #expect(try await store.append(sampleRecord(number)).sequence == number)
            await store.close()
        }
        let store = try openAtOnce(folder)
        #expect(try await store.numbersWhenReady() == (1...9005).reversed())
        await store.close()
    }

    @Test func aFileWithoutAValidLineIsReportedAndReadOnce() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 1...3)
        let junk = Array(repeating: Array("no record\n".utf8), count: 1000).flatMap(\.self)
        try folder.write(junk, to: "results/2020-01-01.jsonl")
        let book = EventBook()
        let store = try openAtOnce(folder, book)
        #expect(store.recovery.lackingBytes == Int64(junk.count))
        #expect(try await recordsRead(book) == 0)
        let whole = RecoveryReport.Damage(
            segment: "2020-01-01.jsonl", offset: 0, size: Int64(junk.count))
        #expect(damage(in: book) == [whole])
        #expect(try await store.numbersWhenReady() == [3, 2, 1])
        await store.close()
        let again = try openAtOnce(folder)
        #expect(again.recovery.lackingBytes == 0)
        await again.close()
    }
}
