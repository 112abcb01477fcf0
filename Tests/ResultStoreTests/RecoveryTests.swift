// Opening after whatever happened: torn ends, damage in the middle, indexes that are gone or wrong.

import Foundation
import Synchronization
import Testing

@testable import ResultStore

@Suite struct RecoveryTests {
    private static let segment = "results/2026-11-21.jsonl"

    /// A closed store of `count` samples, and its one segment's bytes.
    private func fill(_ folder: TemporaryFolder, _ count: Int) async throws -> [UInt8] {
        let store = try ResultStore(folder)
        for number in 1...count { _ = try await store.append(sampleRecord(number)) }
        await store.close()
        return try folder.bytes(of: Self.segment)
    }

    private func numbers(in folder: TemporaryFolder) async throws -> [Int] {
        let store = try ResultStore(folder)
        let numbers = try await store.numbers()
        await store.close()
        return numbers
    }

    /// Opening a pipe waits for its other end, if nothing forbids it.
    @Test(.timeLimit(.minutes(1))) func aPipeInThePlaceOfAFileIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("results")
        let path = folder.path + "/" + Self.segment
        // SAFETY: the C string lives for the call.
        let isMade = unsafe mkfifo(path, 0o600) == 0
        #expect(isMade)
        #expect(
            throws: StoreError.file(
                path: path, operation: "open", reason: "Operation not supported")
        ) {
            _ = try ResultStore(folder)
        }
    }

    @Test func aFileCutAtEveryByteOfItsLastRecordOpensWithAllTheOthers() async throws {
        let folder = try TemporaryFolder()
        let whole = try await fill(folder, 3)
        let lastStart = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        for cut in lastStart..<whole.count {
            try folder.write(whole[..<cut], to: Self.segment)
            // It knows that the last record was durable.
            try folder.remove("index.sqlite")
            let store = try ResultStore(folder)
            #expect(try await store.numbers() == [2, 1], "cut at \(cut)")
            #expect(store.recovery.damage.isEmpty)
            #expect((store.recovery.torn?.size ?? 0) == Int64(cut - lastStart))
            await store.close()
        }
        // What is appended now takes the lost record's place.
        let store = try ResultStore(folder)
        #expect(try await store.append(sampleRecord(9)).sequence == 3)
        await store.close()
        #expect(try await numbers(in: folder) == [9, 2, 1])
    }

    @Test func aTornEndIsKeptAsideAndReported() async throws {
        let folder = try TemporaryFolder()
        let whole = try await fill(folder, 2)
        let torn = Array(#"{"crc32":"deadbeef","id":"01"#.utf8)
        try folder.write(whole + torn, to: Self.segment)
        let store = try ResultStore(folder)
        let report = try #require(store.recovery.torn)
        #expect(report.size == Int64(torn.count))
        #expect(report.path.hasSuffix("results/torn/2026-11-21.jsonl.\(whole.count)"))
        await store.close()
        #expect(try folder.bytes(of: "results/torn/2026-11-21.jsonl.\(whole.count)") == torn)
        #expect(try folder.bytes(of: Self.segment) == whole)
    }

    /// A line that the index had was durable, so that it is damaged, not torn.
    @Test(arguments: ["changed", "cut"], [false, true])
    func aLastLineThatTheIndexHadIsNotCutOff(kind: String, isLate: Bool) async throws {
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 3)
        var settings = StoreSettings()
        if isLate { settings.awaitedIndexBytes = 0 }
        let book = EventBook()
        var store = try ResultStore(folder)
        let third = try #require(try await store.page(of: ResultQuery(), limit: 1).lines.first)
        #expect(try await store.erase(try #require(store.facts(in: third)).id))
        await store.close()
        var bytes = try folder.bytes(of: Self.segment)
        let start = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        if kind == "cut" { bytes.removeLast(40) } else { bytes[start + 40] ^= 1 }
        try folder.write(bytes, to: Self.segment)

        store = try ResultStore(
            folder: folder.path, catalog: sampleCatalog, settings: settings,
            onEvent: { book.note($0) })
        #expect(store.recovery.torn == nil)
        #expect(store.recovery.missing.map { [$0.last, $0.known] } == [3, 4])
        #expect(try await store.numbersWhenReady() == [3, 2, 1])
        let found: [RecoveryReport.Damage] = book.all.compactMap { event in
            if case .damageFound(let damage) = event { damage } else { nil }
        }
        let damage = RecoveryReport.Damage(
            segment: "2026-11-21.jsonl", offset: Int64(start), size: Int64(bytes.count - start))
        #expect(store.recovery.damage + found == [damage])
        #expect(try await store.append(sampleRecord(5)).sequence == 5)
        await store.close()
        #expect(try folder.bytes(of: Self.segment) == bytes)
        let names = try folder.names(in: "results")
        #expect(names == ["2026-11-21-2.jsonl", "2026-11-21.jsonl"])
        let verified = try StoreVerification.run(folder: folder.path, catalog: sampleCatalog)
        #expect(verified.findings.map(\.offset) == [Int64(start)])
        #expect(verified.notes.isEmpty)

        store = try ResultStore(folder, settings: settings)
        #expect(store.recovery.rebuildReason == nil && store.recovery.missing == nil)
        #expect(try await store.append(sampleRecord(6)).sequence == 6)
        #expect(try await store.numbersWhenReady() == [6, 5, 3, 2, 1])
        await store.close()
        #expect(try folder.names(in: "results") == names)
    }

    /// The damaged line and its number stay, whenever the first opening that finds it ends.
    @Test(arguments: ["changed", "cut"])
    func aLastLineThatTheIndexHadIsKeptAlsoAfterAnOpeningThatFails(kind: String) async throws {
        for number in 1...100 {
            let folder = try TemporaryFolder()
            var bytes = try await fill(folder, 4)
            let start = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
            if kind == "cut" { bytes.removeLast(40) } else { bytes[start + 40] ^= 1 }
            try folder.write(bytes, to: Self.segment)
            let path = folder.path + "/" + Self.segment
            let openings = Mutex(0)
            let disk = HookedDisk(onOpen: { opened throws(StoreError) in
                guard opened == path else { return }
                let count = openings.withLock { openings in
                    openings += 1
                    return openings
                }
                if count == number {
                    throw .file(path: opened, operation: "open", reason: "Input/output error")
                }
            })
            let first = try? ResultStore(
                folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog,
                settings: StoreSettings())
            await first?.close()
            if first != nil {
                #expect(number > 3)
                return
            }
            let store = try ResultStore(folder)
            #expect(store.recovery.torn == nil, "opening \(number)")
            #expect(try await store.append(sampleRecord(5)).sequence == 5, "opening \(number)")
            #expect(try await store.numbers() == [5, 3, 2, 1], "opening \(number)")
            await store.close()
            #expect(try folder.bytes(of: Self.segment) == bytes, "opening \(number)")
        }
        Issue.record("an opening reads the segment more often than 100 times")
    }

    @Test func damageInTheMiddleIsReportedAndTheOtherRecordsStayReadable() async throws {
        let folder = try TemporaryFolder()
        var bytes = try await fill(folder, 5)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        bytes[ends[1] + 40] ^= 0xFF
        try folder.write(bytes, to: Self.segment)
        try folder.remove("index.sqlite")
        let store = try ResultStore(folder)
        #expect(
            store.recovery.damage == [
                RecoveryReport.Damage(
                    segment: "2026-11-21.jsonl", offset: Int64(ends[1] + 1),
                    size: Int64(ends[2] - ends[1]))
            ])
        #expect(store.recovery.torn == nil)
        #expect(try await store.numbers() == [5, 4, 2, 1])
        #expect(try await store.append(sampleRecord(6)).sequence == 6)
        await store.close()
    }

    @Test func aRecordThatWasDamagedAfterItWasIndexedIsLeftOutOfPagesAndReported() async throws {
        let folder = try TemporaryFolder()
        var bytes = try await fill(folder, 3)
        bytes[60] ^= 0xFF
        try folder.write(bytes, to: Self.segment)
        let store = try ResultStore(folder)
        let page = try await store.page(of: ResultQuery(), limit: 10)
        #expect(page.lines.compactMap(\.number) == [3, 2])
        #expect(page.damage == [StoreError.damaged(segment: "2026-11-21.jsonl", offset: 0)])
        await store.close()
    }

    @Test(arguments: ["gone", "garbage", "empty", "behind"])
    func anIndexThatIsMissingOrWrongIsMadeAnew(kind: String) async throws {
        let folder = try TemporaryFolder()
        let older = try await { () async throws -> [UInt8] in
            _ = try await fill(folder, 20)
            return try folder.bytes(of: "index.sqlite")
        }()
        let store = try ResultStore(folder)
        for number in 21...40 { _ = try await store.append(sampleRecord(number)) }
        await store.close()
        switch kind {
        case "gone": try folder.remove("index.sqlite")
        case "garbage": try folder.write(Array("no database".utf8), to: "index.sqlite")
        case "empty": try folder.write([], to: "index.sqlite")
        default: try folder.write(older, to: "index.sqlite")
        }
        for suffix in ["-wal", "-shm"] { try? folder.remove("index.sqlite" + suffix) }
        #expect(try await numbers(in: folder) == (1...40).reversed())
        let again = try ResultStore(folder)
        #expect(again.recovery.indexedRecords == 0)
        #expect(try await again.inboxes().map(\.count) == [40])
        await again.close()
    }

    @Test func anIndexOfOtherFilesIsMadeAnew() async throws {
        let folder = try TemporaryFolder()
        let whole = try await fill(folder, 10)
        let firstLines = whole.split(separator: UInt8(ascii: "\n")).prefix(4)
        try folder.write(
            firstLines.joined(separator: [UInt8(ascii: "\n")]) + [0x0A], to: Self.segment)
        let store = try ResultStore(folder)
        #expect(store.recovery.rebuildReason == "2026-11-21.jsonl has become shorter")
        #expect(try await store.numbers() == [4, 3, 2, 1])
        #expect(store.recovery.missing.map { [$0.last, $0.known] } == [4, 10])
        await store.close()
    }

    /// A backup may hold what has those numbers, and an erasure can't be known that is in no file.
    @Test(arguments: [false, true])
    func aFileFromBeforeAnErasureIsReportedAndItsNumbersAreNotUsedAgain(
        isLate: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let backup = try await fill(folder, 3)
        var settings = StoreSettings()
        if isLate { settings.awaitedIndexBytes = 0 }
        var store = try ResultStore(folder)
        let third = try #require(try await store.page(of: ResultQuery(), limit: 1).lines.first)
        #expect(try await store.erase(try #require(store.facts(in: third)).id))
        #expect(try await store.append(sampleRecord(5)).sequence == 5)
        await store.close()
        try folder.write(backup, to: Self.segment)
        store = try ResultStore(folder, settings: settings)
        #expect(store.recovery.missing.map { [$0.last, $0.known] } == [3, 5])
        #expect(try await store.numbersWhenReady() == [3, 2, 1])
        await store.close()
        // Also if nothing was stored meanwhile.
        store = try ResultStore(folder, settings: settings)
        #expect(store.recovery.missing == nil && store.recovery.rebuildReason == nil)
        #expect(try await store.append(sampleRecord(6)).sequence == 6)
        #expect(try await store.numbersWhenReady() == [6, 3, 2, 1])
        await store.close()
    }

    /// The same while the store is open, if its process ends during the rebuild.
    @Test func aRebuildThatEndsEarlyKeepsTheNumberOfWhatIsMissing() async throws {
        let folder = try TemporaryFolder()
        let whole = try await fill(folder, 4)
        var store = try ResultStore(folder)
        let lastStart = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        try folder.write(whole[..<lastStart], to: Self.segment)
        let rebuilding = IndexRebuilding(
            folder: store.folder, index: store.index, files: store.files, isIntact: false,
            onDamage: { _ in }, mustStop: { true })
        #expect(throws: StoreError.closed) { try rebuilding.run() }
        #expect(try store.index.progress().sequence == 4)
        await store.close()
        store = try ResultStore(folder)
        #expect(try await store.append(sampleRecord(5)).sequence == 5)
        #expect(try await store.numbers() == [5, 3, 2, 1])
        await store.close()
    }

    @Test func anIndexOfAnotherStoreWithLessInItIsMadeAnew() async throws {
        let other = try TemporaryFolder()
        _ = try await fill(other, 3)
        let folder = try TemporaryFolder()
        _ = try await fill(folder, 6)
        try folder.write(other.bytes(of: "index.sqlite"), to: "index.sqlite")
        let store = try ResultStore(folder)
        #expect(store.recovery.rebuildReason == "2026-11-21.jsonl holds other records")
        #expect(store.recovery.damage.isEmpty)
        #expect(try await store.numbers() == (1...6).reversed())
        await store.close()
    }

    @Test func recordsThatAreLargerThanAReadAreFoundAgain() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        for number in 1...5 {
            _ = try await store.append(sampleRecord(number, padding: 700_000))
        }
        await store.close()
        try folder.remove("index.sqlite")
        #expect(try await numbers(in: folder) == [5, 4, 3, 2, 1])
    }
}

@Suite struct SegmentScannerTests {
    @Test(arguments: [1, 2, 3, 7, 64, 1000])
    func anyCutOfTheBytesFindsTheSameRecords(size: Int) throws {
        var bytes: [UInt8] = []
        var generator = SystemRandomNumberGenerator()
        for number in 1...8 {
            RecordLine.append(
                id: RecordID(at: sampleMoment.unixMilliseconds, using: &generator),
                sequence: number, kind: .callback,
                receivedAt: sampleMoment, tail: RecordLine.tail(of: sampleRecord(number)),
                to: &bytes)
            if number == 4 { bytes += Array("garbage\n\n".utf8) }
        }
        let name = try #require(SegmentName(fileName: "2026-11-21.jsonl"))
        var scanner = SegmentScanner(segment: name, offset: 0, catalog: sampleCatalog)
        var entries: [IndexChange] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            scanner.add(Array(bytes[start..<min(start + size, bytes.count)]), to: &entries)
        }
        #expect(entries.map(\.sequence) == Array(1...8))
        #expect(scanner.damage.map(\.size) == [9])
        #expect(scanner.endOfLastValidLine == Int64(bytes.count))
    }
}
