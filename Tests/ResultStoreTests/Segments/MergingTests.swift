// Small segments become one: files don't grow with how often something is erased, and nothing else
// changes.

import Testing

@testable import ResultStore

@Suite struct MergingTests {
    @Test func erasingAgainAndAgainLeavesFewFiles() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = false
        let store = try ResultStore(folder, settings: settings)
        var kept: [Int] = []
        for cycle in 1...60 {
            let id = try await store.append(sampleRecord(2 * cycle, at: .now)).id
            if cycle % 10 == 0 {
                _ = try await store.append(sampleRecord(2 * cycle + 1, at: .now))
                kept.append(2 * cycle + 1)
            }
            #expect(try await store.erase(id))
            let report = try await store.compact()
            #expect(report.failures.isEmpty && report.rebuildReason == nil)
            #expect(report.removedLines == 1)
            #expect(try folder.names(in: "results").count <= 2)
            #expect(store.files.openCount <= 4)
        }
        #expect(try await store.numbers().sorted() == kept)
        let last = store.lastSequence
        await store.close()
        for isAnew in [false, true] {
            if isAnew { try folder.remove("index.sqlite") }
            let again = try ResultStore(folder, settings: settings)
            #expect(again.recovery.rebuildReason == (isAnew ? "there was no index" : nil))
            #expect(again.recovery.damage.isEmpty && again.lastSequence == last)
            #expect(try await again.numbers().sorted() == kept)
            await again.close()
        }
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }

    @Test(arguments: [true, false])
    func linesKeepTheirOrderAndTheirBytes(compresses: Bool) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = compresses
        let store = try ResultStore(folder, settings: settings)
        var number = 0
        for _ in 1...5 {
            for _ in 1...7 {
                number += 1
                _ = try await store.append(
                    sampleRecord(number, at: sampleDay(-700), padding: 100 * number))
            }
            _ = store.journal.endSegment(before: nil)
        }
        let before = try await store.all(ResultQuery(by: .seq)).map(\.stored)
        #expect(try folder.names(in: "results").count == 5)
        let id = try #require(before.first.flatMap { RecordLine.legibleID($0[...]) })
        #expect(try await store.erase(id))
        let report = try await store.compact()
        #expect(report.mergedSegments == 5 && report.failures.isEmpty)
        #expect(
            try folder.names(in: "results") == [
                "2024-12-21.jsonl" + (compresses ? ".gz" : "")
            ])
        #expect(
            try await store.all(ResultQuery(by: .seq)).map(\.stored) == Array(before.dropFirst()))
        #expect(try await store.compact().isEmpty)
        await store.close()
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }

    @Test func aBlockThatCannotBeReadKeepsNoSegmentFromBeingMerged() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        for number in 1...3 {
            _ = try await store.append(sampleRecord(number, at: sampleDay(-700)))
            _ = store.journal.endSegment(before: nil)
        }
        _ = try await store.compact()
        _ = try await store.append(sampleRecord(4, at: sampleDay(-700)))
        await store.close()
        let name = "results/2024-12-21.jsonl.gz"
        var bytes = try folder.bytes(of: name)
        bytes[bytes.count / 2] ^= 0xFF
        try folder.write(bytes, to: name)
        let again = try ResultStore(folder)
        let line = try #require(await again.page(of: ResultQuery(), limit: 9).lines.first)
        #expect(try await again.erase(try #require(RecordLine.legibleID(line.stored[...]))))
        let report = try await again.compact()
        #expect(report.removedLines == 1 && report.failures.isEmpty)
        #expect(report.mergedSegments == 1)
        #expect(try folder.bytes(of: name).starts(with: bytes))
        await again.close()
    }

    @Test func theNumberOfSegmentsGrowsWithTheLogarithmOfTheirBytes() {
        var generator = SystemRandomNumberGenerator()
        var sizes: [Int64] = []
        var written: Int64 = 0
        var total: Int64 = 0
        for _ in 1...3000 {
            let size = Int64.random(in: 100...3_000_000, using: &generator)
            sizes.append(size)
            total += size
            let runs = SegmentMerging.runs(sizes, limit: .max)
            #expect(runs.first?.lowerBound == 0 && runs.last?.upperBound == sizes.count)
            for (run, next) in zip(runs, runs.dropFirst()) {
                #expect(run.upperBound == next.lowerBound)
            }
            written += runs.filter { $0.count > 1 }.reduce(0) { $0 + sizes[$1].reduce(0, +) }
            sizes = runs.map { sizes[$0].reduce(0, +) }
            #expect(sizes.count <= 16)
        }
        #expect(written < 24 * total)
    }

    @Test func noRunIsLargerThanASegmentMayBe() {
        let sizes = [Int64](repeating: 900, count: 50)
        let runs = SegmentMerging.runs(sizes, limit: 2000)
        #expect(runs.allSatisfy { $0.count == 2 } && runs.count == 25)
        #expect(SegmentMerging.runs([5000, 10], limit: 2000) == [0..<1, 1..<2])
        #expect(SegmentMerging.runs([], limit: 2000).isEmpty)
    }

    @Test(arguments: [
        "2026-11-21.jsonl.through-5", "2026-11-21-2.jsonl.gz.through-3",
    ])
    func aDecidedMergingIsReadFromItsName(name: String) {
        #expect(Merging(fileName: name)?.fileName == name)
        #expect(Merging(fileName: name + "x") == nil)
        #expect(Merging(fileName: "x" + name) == nil)
    }
}
