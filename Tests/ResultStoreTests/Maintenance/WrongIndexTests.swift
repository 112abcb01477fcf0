// The index is derived and never believed: nothing is cut on its word alone.

import Foundation
import GRDB
import Testing

@testable import ResultStore

@Suite struct WrongIndexTests {
    private static let segment = "results/2024-12-21.jsonl"

    private static var settings: StoreSettings {
        var settings = StoreSettings()
        settings.compresses = false
        return settings
    }

    /// A store of twelve records of one day, and one of the next.
    private func fill(
        _ folder: TemporaryFolder, _ settings: StoreSettings = Self.settings
    ) async throws -> (ResultStore, [RecordID]) {
        let store = try ResultStore(folder, settings: settings)
        var ids: [RecordID] = []
        for number in 1...12 {
            ids.append(
                try await store.append(
                    sampleRecord(number, at: sampleDay(-700), name: "quoll\(number)quoll")
                ).id)
        }
        _ = try await store.append(sampleRecord(13, at: sampleDay(-699)))
        return (store, ids)
    }

    /// Whether a file still holds the record of a number.
    private func isTraced(_ number: Int, in folder: TemporaryFolder) throws -> Bool {
        try folder.names(in: "results").contains { name in
            let text = try String(decoding: folder.bytes(of: "results/\(name)"), as: UTF8.self)
            return text.contains("quoll\(number)quoll")
        }
    }

    private func expectErased(
        _ erased: Set<Int>, from store: ResultStore, _ folder: TemporaryFolder
    ) async throws {
        let kept = Set(1...13).subtracting(erased)
        #expect(Set(try await store.numbers()) == kept)
        for number in 1...12 {
            #expect(try isTraced(number, in: folder) == kept.contains(number), "\(number)")
        }
        await store.close()
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }

    @Test func aDayThatWasRestoredFromABackupLosesOnlyWhatIsErased() async throws {
        let folder = try TemporaryFolder()
        let (store, ids) = try await fill(folder)
        let backup = try folder.bytes(of: Self.segment)
        #expect(try await store.erase(ids[2]))
        #expect(try await store.compact().removedLines == 1)
        // While the store is open, as by a tool that writes the file's own bytes.
        store.files.remove(SegmentName(day: "2024-12-21", part: 1), generation: 1)
        try folder.write(backup, to: Self.segment)
        try store.files.add(SegmentName(day: "2024-12-21", part: 1), .plain, generation: 1)
        for id in [ids[4], ids[7]] { #expect(try await store.erase(id)) }
        let report = try await store.compact()
        #expect(report.rebuildReason != nil && report.failures.isEmpty)
        // The erasure of the third is still known: it does not come back with the backup.
        try await expectErased([3, 5, 8], from: store, folder)
    }

    @Test(arguments: [false, true])
    func aDayThatIsGoneAndIsRestoredBeforeAStartStaysErased(compresses: Bool) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.compresses = compresses
        let (store, ids) = try await fill(folder, settings)
        #expect(try await store.compact().failures.isEmpty)
        let day = Self.segment + (compresses ? ".gz" : "")
        let backup = try folder.bytes(of: day)
        for id in ids { #expect(try await store.erase(id)) }
        #expect(try await store.compact().removedLines == 12)
        #expect(try !folder.files().contains(day))
        await store.close()
        try folder.write(backup, to: day)
        let again = try ResultStore(folder, settings: settings)
        #expect(again.recovery.rebuildReason == "2024-12-21.jsonl has come back")
        #expect(try await again.numbers() == [13])
        #expect(try await again.compact().removedLines == 12)
        try await expectErased(Set(1...12), from: again, folder)
        let third = try ResultStore(folder, settings: settings)
        #expect(third.recovery.rebuildReason == nil)
        await third.close()
    }

    @Test(arguments: [
        "offset = (offset | 1) - (offset & 1)", "offset = offset + size + 1", "size = size - 1",
    ])
    func aWrongPlaceInTheIndexCutsNothingElse(change: String) async throws {
        let folder = try TemporaryFolder()
        let (store, ids) = try await fill(folder)
        try await store.index.catchUp()
        try await store.index.database.write { database in
            try database.execute(sql: "UPDATE results SET \(change) WHERE seq = 6")
        }
        #expect(try await store.erase(ids[5]))
        let report = try await store.compact()
        #expect(report.rebuildReason != nil && report.failures.isEmpty)
        #expect(report.removedLines == 1)
        try await expectErased([6], from: store, folder)
    }
}
