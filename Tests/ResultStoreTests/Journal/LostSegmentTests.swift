// Files that others remove, replace or cut while the store is open, and clocks that leap.

import Clocks
import Foundation
import Synchronization
import Testing

@testable import ResultStore

/// What a store has told.
final class EventBook: Sendable {
    private let events = Mutex<[StoreEvent]>([])

    var all: [StoreEvent] { events.withLock { $0 } }

    func note(_ event: StoreEvent) {
        events.withLock { $0.append(event) }
    }
}

extension ResultStore {
    /// The numbers of all samples, as soon as the index answers; throws when it does not in time.
    func numbersWhenReady(_ condition: Condition = .everything) async throws -> [Int] {
        for _ in 0..<1000 {
            do {
                return try await numbers(condition)
            } catch StoreError.rebuilding {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        return try await numbers(condition)
    }
}

@Suite struct LostSegmentTests {
    private static let first = "results/2026-11-21.jsonl"

    private func open(
        _ folder: TemporaryFolder, _ book: EventBook, segmentBytes: Int64? = nil
    ) throws -> ResultStore {
        var settings = StoreSettings()
        if let segmentBytes { settings.segmentBytes = segmentBytes }
        return try ResultStore(
            folder: folder.path, catalog: sampleCatalog, settings: settings,
            onEvent: { book.note($0) })
    }

    enum Loss: CaseIterable { case removed, moved, replaced, cut, longer }

    private func lose(_ loss: Loss, _ name: String, in folder: TemporaryFolder) throws {
        let bytes = try folder.bytes(of: name)
        switch loss {
        case .removed: try folder.remove(name)
        case .moved:
            try FileManager.default.moveItem(
                atPath: folder.path + "/" + name, toPath: folder.path + "/moved")
        case .replaced:
            try folder.remove(name)
            try folder.write(bytes, to: name)
        case .cut, .longer:
            let handle = try FileHandle(forWritingTo: URL(filePath: folder.path + "/" + name))
            try handle.truncate(atOffset: UInt64(loss == .cut ? bytes.count / 2 : bytes.count + 1))
            try handle.close()
        }
    }

    @Test(arguments: Loss.allCases)
    func nothingIsAcknowledgedIntoAFileThatOthersHaveTaken(loss: Loss) async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        var store = try open(folder, book)
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        try lose(loss, Self.first, in: folder)
        for number in 4...6 {
            #expect(try await store.append(sampleRecord(number)).sequence == number)
        }
        #expect(book.all.contains(.segmentLost("2026-11-21.jsonl")))
        #expect(try folder.names(in: "results").contains("2026-11-21-2.jsonl"))
        let found = try await store.numbersWhenReady()
        #expect(found.starts(with: [6, 5, 4]))
        await store.close()
        store = try open(folder, book)
        #expect(try await store.numbers() == found)
        await store.close()
    }

    @Test func aSegmentThatIsGoneIsNoticedWhenItIsRead() async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let store = try open(folder, book, segmentBytes: 1)
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        #expect(try await store.numbers() == [3, 2, 1])
        try folder.remove("results/2026-11-21-2.jsonl")
        _ = try? await store.numbers()
        for _ in 0..<6000 {
            if try await store.numbersWhenReady() == [3, 1] { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await store.numbersWhenReady() == [3, 1])
        #expect(book.all.contains(.segmentLost("2026-11-21-2.jsonl")))
        await store.close()
    }

    @Test func aSegmentThatCantBeOpenedForAMomentIsNotLost() async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let failures = Mutex((left: 0, seen: 0))
        let path = folder.path + "/results/2026-11-21-2.jsonl"
        let disk = HookedDisk(onOpen: { opened throws(StoreError) in
            let fails = failures.withLock { failures in
                guard opened == path, failures.left > 0 else { return false }
                failures = (failures.left - 1, failures.seen + 1)
                return true
            }
            if fails {
                throw .file(path: opened, operation: "open", reason: "Input/output error")
            }
        })
        var settings = StoreSettings()
        settings.segmentBytes = 1
        let store = try ResultStore(
            folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog, settings: settings,
            onEvent: { book.note($0) })
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        // The query's, its look at the name, and that of the check which it causes.
        failures.withLock { $0.left = 3 }
        await #expect(throws: StoreError.self) { try await store.numbers() }
        for _ in 0..<6000 where failures.withLock({ $0.seen }) < 3 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(failures.withLock { $0.seen } == 3)
        #expect(try await store.numbers() == [3, 2, 1])
        await store.close()
        #expect(book.all.isEmpty)
    }

    @Test(arguments: [false, true])
    func aFolderThatTookThePlaceOfAnotherHasOneStore(isOthers: Bool) async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let store = try open(folder, book)
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        let manager = FileManager.default
        let others = try TemporaryFolder()
        try manager.copyItem(atPath: folder.path, toPath: others.path + "/backup")
        try manager.moveItem(atPath: folder.path, toPath: others.path + "/away")
        try manager.moveItem(atPath: others.path + "/backup", toPath: folder.path)
        if isOthers {
            let second = try open(folder, book)
            let names = try folder.names(in: "results")
            for _ in 1...3 {
                await #expect(throws: StoreError.self) {
                    try await store.append(sampleRecord(4))
                }
            }
            #expect(try folder.names(in: "results") == names)
            #expect(try await second.append(sampleRecord(4)).sequence == 4)
            #expect(try await second.numbers() == [4, 3, 2, 1])
            await second.close()
            #expect(try await store.append(sampleRecord(5)).sequence == 5)
            #expect(try await store.numbersWhenReady() == [5, 4, 3, 2, 1])
        } else {
            #expect(try await store.append(sampleRecord(4)).sequence == 4)
            #expect(throws: StoreError.self) { try open(folder, book) }
            #expect(try await store.numbersWhenReady() == [4, 3, 2, 1])
        }
        await store.close()
        let verified = try StoreVerification.run(folder: folder.path, catalog: sampleCatalog)
        #expect(verified.findings.isEmpty)
    }

    /// Makes a folder, and the link `data` to it.
    private func link(to name: String, in folder: TemporaryFolder) throws {
        try folder.makeFolder(name)
        try? folder.remove("data")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/data", withDestinationPath: folder.path + "/" + name)
    }

    /// No segment is open that could be found lost.
    @Test func noSegmentIsBegunInAFolderOfAnotherProcess() async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let link = folder.path + "/data"
        try self.link(to: "one", in: folder)
        let isFull = Mutex(true)
        let disk = HookedDisk(onWrite: { path throws(StoreError) in
            guard path == link + "/results/2026-11-21-2.jsonl" else { return }
            let fails = isFull.withLock { isFull in
                defer { isFull = false }
                return isFull
            }
            if fails { throw .full }
        })
        let store = try ResultStore(
            folder: StoreFolder(link, on: disk), catalog: sampleCatalog,
            settings: StoreSettings(), onEvent: { book.note($0) })
        _ = try await store.append(sampleRecord(1))
        _ = store.journal.endSegment(before: nil)
        try self.link(to: "two", in: folder)
        let second = try ResultStore(folder: link, catalog: sampleCatalog)
        for number in 2...4 { _ = try await second.append(sampleRecord(number)) }
        for _ in 1...2 {
            await #expect(throws: StoreError.self) { try await store.append(sampleRecord(5)) }
        }
        #expect(try folder.names(in: "two/results") == ["2026-11-21.jsonl"])
        #expect(throws: StoreError.self) { try store.folder.followLock() }
        await second.close()
        try store.folder.followLock()
        // Also if the first batch in the other folder fails, the index is rebuilt after the second.
        await #expect(throws: StoreError.full) { try await store.append(sampleRecord(5)) }
        for _ in 0..<6000 where store.status.rebuilding != nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        // Its number and its file are after those of the other process.
        #expect(try await store.append(sampleRecord(5)).sequence == 4)
        #expect(book.all.contains(.segmentLost("2026-11-21.jsonl")))
        #expect(try await store.numbersWhenReady() == [5, 4, 3, 2])
        await store.close()
        let verified = try StoreVerification.run(
            folder: folder.path + "/two", catalog: sampleCatalog)
        #expect(verified.findings.isEmpty)
    }

    @Test func theReserveIsNotTakenInAFolderOfAnotherProcess() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.reserveBytes = 65_536
        try link(to: "one", in: folder)
        let store = try ResultStore(
            folder: folder.path + "/data", catalog: sampleCatalog, settings: settings)
        #expect(store.folder.reserve.giveUp())
        try link(to: "two", in: folder)
        let second = try ResultStore(folder: folder.path + "/data", catalog: sampleCatalog)
        let storage = try #require(store.storage as? FileStorage)
        storage.lookForRoom()
        await #expect(throws: StoreError.self) { try await store.append(sampleRecord(1)) }
        #expect(try !folder.names(in: "two").contains("reserve"))
        await second.close()
        storage.lookForRoom()
        #expect(!store.folder.reserve.isMissing)
        await store.close()
    }

    @Test func aStoreWhoseFolderIsGoneStoresNothingAndCloses() async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let store = try open(folder, book)
        _ = try await store.append(sampleRecord(1))
        _ = try await store.numbers()
        try folder.remove("")
        await #expect(throws: StoreError.self) { try await store.append(sampleRecord(2)) }
        // Without the index, which can't be rebuilt.
        for _ in 0..<6000 {
            if book.all.contains(where: { if case .indexNotRebuilt = $0 { true } else { false } }) {
                break
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        await #expect(throws: StoreError.self) { try await store.numbers() }
        await store.close()
    }

    @Test func theFolderIsLockedAlsoWhenTheLockFileIsRemoved() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        try folder.remove("LOCK")
        #expect(throws: StoreError.self) { try ResultStore(folder) }
        await store.close()
        let again = try ResultStore(folder)
        await again.close()
    }

    @Test func aRecordOfAFarDayDoesNotPullLaterOnesIntoIt() async throws {
        let folder = try TemporaryFolder()
        let far = Timestamp(unixMilliseconds: 7_258_118_400_000)
        let today = SegmentName(at: .now).fileName
        var store = try ResultStore(folder)
        _ = try await store.append(sampleRecord(1, at: far))
        _ = try await store.append(sampleRecord(2, at: .now))
        await store.close()
        #expect(try folder.names(in: "results") == [today])
        // As a version left it that believed the day.
        let bytes = try folder.bytes(of: "results/" + today)
        try folder.remove("results/" + today)
        try folder.write(bytes, to: "results/2200-01-01.jsonl")
        store = try ResultStore(folder)
        _ = try await store.append(sampleRecord(3, at: .now))
        #expect(try folder.names(in: "results") == [today, "2200-01-01.jsonl"].sorted())
        let erased = try #require(try await store.all().first { $0.number == 1 }?.root?["id"])
        #expect(try await store.erase(try #require(erased.string.flatMap { RecordID($0) })))
        await store.close()
        try folder.remove("index.sqlite")
        store = try ResultStore(folder)
        #expect(try await store.numbers() == [3, 2])
        #expect(try await store.append(sampleRecord(4, at: .now)).sequence == 5)
        #expect(try folder.names(in: "results") == [today, "2200-01-01.jsonl"].sorted())
        // Also the segment whose name is the highest is tidied.
        #expect(try await store.compact().removedLines == 1)
        #expect(try await store.numbers() == [4, 3, 2])
        await store.close()
        // The order of names isn't that of numbers.
        #expect(
            try StoreVerification.run(folder: folder.path, catalog: sampleCatalog).findings.isEmpty)
    }
}

@Suite struct RetentionClockTests {
    private static let day: Int64 = 86_400_000

    private func moment(_ days: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: 1_795_241_580_123 + days * Self.day)
    }

    @Test func aLeapIsNotBelievedAndItsEndIs() {
        var clock = RetentionClock()
        #expect(clock.now(moment(0), boot: 0, newest: []) == moment(0))
        #expect(clock.now(moment(1), boot: UInt64(Self.day), newest: []) == moment(1))
        let leapt = clock.now(moment(60_000), boot: UInt64(2 * Self.day), newest: [moment(60_000)])
        #expect(leapt == moment(2) && clock.lead == 59_998 * Self.day)
        #expect(clock.now(moment(3), boot: UInt64(3 * Self.day), newest: []) == moment(3))
        #expect(clock.lead == 0)
        // Back is always believed: it erases less.
        #expect(clock.now(moment(-9), boot: UInt64(3 * Self.day), newest: []) == moment(-9))
    }

    @Test func atAStartTheNewestRecordsSayWhetherTheClockIsPlausible() {
        var clock = RetentionClock()
        let newest = [moment(60_000), moment(1), moment(0)]
        #expect(clock.now(moment(60_000), boot: 5, newest: newest) == moment(1))
        #expect(clock.lead > 0)
        clock = RetentionClock()
        #expect(clock.now(moment(300), boot: 5, newest: newest) == moment(300))
    }

    @Test(
        arguments: [
            [0, 1, 60_000], [0, 60_000, 1], [60_000, 0, 1], [1, 60_000], [60_000, 1],
        ])
    func theOrderOfTheNewestRecordsSaysNothing(days: [Int64]) {
        var clock = RetentionClock()
        #expect(
            clock.now(moment(60_000), boot: 5, newest: days.map { moment($0) }) == moment(1))
    }

    @Test func aClockThatIsSetAfterTheStartIsBelieved() {
        var clock = RetentionClock()
        let newest = [moment(1), moment(0), moment(0)]
        #expect(clock.now(moment(-20_000), boot: 5, newest: newest) == moment(-20_000))
        #expect(clock.now(moment(-20_000), boot: 60_000, newest: newest) == moment(-20_000))
        #expect(clock.now(moment(30), boot: 70_000, newest: newest) == moment(30))
        #expect(clock.lead == 0)
        let leapt = clock.now(moment(60), boot: 70_000, newest: newest)
        #expect(leapt == moment(30) && clock.lead == 30 * Self.day)
    }
}
