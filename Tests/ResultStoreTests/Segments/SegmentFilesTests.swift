// Open segments are a bounded cache: any number of segments is served with few descriptors.

import Foundation
import Synchronization
import Testing

@testable import ResultStore

@Suite struct SegmentFilesTests {
    /// A closed store of more segments than are kept open, one record each.
    private func fill(_ folder: TemporaryFolder, _ count: Int) async throws -> StoreSettings {
        var settings = StoreSettings()
        settings.segmentBytes = 1
        settings.compresses = false
        let store = try ResultStore(folder, settings: settings)
        for number in 1...count { _ = try await store.append(sampleRecord(number)) }
        await store.close()
        return settings
    }

    /// Segments of a folder that this process has open now.
    private static func descriptors(in path: String) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? []).count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/" + name)
            return target?.hasPrefix(path + "/results/") == true
        }
    }

    /// The highest number that was seen.
    private final class Highest: Sendable {
        private let state = Mutex(0)

        var value: Int { state.withLock { $0 } }

        func raise(to number: Int) { state.withLock { $0 = max($0, number) } }
    }

    @Test func moreSegmentsThanAreKeptOpenAreAllReadable() async throws {
        let folder = try TemporaryFolder()
        let count = 2 * Limits.openSegments
        let settings = try await fill(folder, count)
        let store = try ResultStore(folder, settings: settings)
        for _ in 1...2 {
            #expect(try await store.numbers() == (1...count).reversed())
            #expect(store.files.openCount <= Limits.openSegments)
            // The one that is written to is another.
            #expect(Self.descriptors(in: folder.path) <= Limits.openSegments + 1)
        }
        await store.close()
    }

    @Test func openingOpensSegmentsOneAfterAnother() async throws {
        let folder = try TemporaryFolder()
        let settings = try await fill(folder, 40)
        try folder.remove("index.sqlite")
        let most = Highest()
        let path = folder.path
        let disk = HookedDisk(onOpen: { _ in most.raise(to: Self.descriptors(in: path)) })
        let store = try ResultStore(
            folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog, settings: settings)
        #expect(store.recovery.indexedRecords == 40)
        // Asked before each opening: at most the one before is still open.
        #expect(most.value <= 1)
        await store.close()
    }

    @Test func aFileThatIsReplacedStaysOpenHoweverManyOthersAreRead() async throws {
        let folder = try TemporaryFolder()
        let count = 2 * Limits.openSegments
        let settings = try await fill(folder, count)
        let store = try ResultStore(folder, settings: settings)
        let first = SegmentName(day: "2026-11-21", part: 1)
        let kept = try #require(try store.files.keep(first, generation: 0))
        try folder.remove("results/" + first.fileName)
        _ = try await store.numbers()
        #expect(try store.files.file(of: first, generation: 0) === kept)
        store.files.release(first, generation: 0)
        await store.close()
    }
}
