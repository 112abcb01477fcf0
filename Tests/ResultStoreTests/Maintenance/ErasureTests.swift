// What is erased is gone: from every answer at once, and from every file with the next compaction.
// What is not erased stays as it was, to the byte.

import Clocks
import Foundation
import GRDB
import Gzip
import Testing

@testable import ResultStore

/// Where an erased record's line stands.
enum SegmentState: CaseIterable {
    /// In the segment that is being written.
    case open
    case plain, compressed

    /// When its records were received; what is of a day that is over is written to no more.
    var day: Timestamp { self == .open ? .now : sampleDay(-700) }

    var settings: StoreSettings {
        var settings = StoreSettings()
        settings.compresses = self == .compressed
        return settings
    }
}

/// What is erased.
enum ErasedPart: CaseIterable {
    case record, inbox
}

@Suite struct ErasureTests {
    /// The number of a record with things in it that nothing else has.
    private static let secret = 123_456_789

    private static func secretRecord(at moment: Timestamp = sampleDay(-700)) -> NewRecord {
        sampleRecord(
            secret, inbox: "private", at: moment, name: "Żółty Quokka zanzibar",
            flow: "flow-Xylophone", target: "/okapi/?token=numbat")
    }

    /// Twenty records, one of them secret, in a segment of the given state.
    private func fill(
        _ folder: TemporaryFolder, _ state: SegmentState, _ kind: StoreKind = .files
    ) async throws -> (store: ResultStore, id: RecordID) {
        let store = try kind.open(folder, settings: state.settings)
        var id: RecordID?
        for number in 1...20 {
            if number == 7 { id = try await store.append(Self.secretRecord(at: state.day)).id }
            _ = try await store.append(
                sampleRecord(number, at: state.day, name: "quoll \(number)"))
        }
        if state != .open { _ = try await store.append(sampleRecord(21, at: sampleDay(-699))) }
        let report = try await store.compact()
        #expect(report.failures.isEmpty)
        #expect(report.compressedSegments == (state == .compressed ? 2 : 0))
        return (store, try #require(id))
    }

    private func erase(
        _ part: ErasedPart, _ id: RecordID, in store: ResultStore
    ) async throws {
        switch part {
        case .record: #expect(try await store.erase(id))
        case .inbox: #expect(try await store.erase(inbox: "private") == 1)
        }
    }

    /// The files that hold a trace of the secret record.
    private func traces(in folder: TemporaryFolder) throws -> [String] {
        let words = [
            "quokka", "zanzibar", "xylophone", "okapi", "numbat", "\(Self.secret)", "żółty",
        ]
        var traces: [String] = []
        for name in try folder.files() {
            var bytes = try folder.bytes(of: name)
            if name.hasSuffix(".gz") {
                var inflater = Inflater(limit: .max, ratio: .max)
                var content: [UInt8] = []
                try inflater.inflate(bytes, into: &content)
                bytes = content
            }
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            traces += words.filter { text.contains($0) }.map { "\($0) in \(name)" }
            let number = bigEndianBytes(Double(Self.secret).bitPattern)
            if bytes.contains(sequence: number) { traces.append("number in \(name)") }
        }
        return traces
    }

    private func bigEndianBytes(_ bits: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    @Test(arguments: ErasedPart.allCases, StoreKind.allCases)
    func whatIsErasedIsInNoAnswerAnyMore(part: ErasedPart, kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, .open, kind)
        let everything = try await store.all()
        #expect(everything.count == 21)
        try await erase(part, id, in: store)
        for isReopened in [false, true] {
            let store = isReopened ? try kind.open(folder) : store
            #expect(try await store.line(of: id) == nil)
            #expect(
                try await store.all().map(\.stored)
                    == everything.filter { $0.number != Self.secret }.map(\.stored))
            for condition: Condition in [
                .words(["quokka"], lastIsPrefix: false), .words(["zan"], lastIsPrefix: true),
                .compare(.flow, .equal, .text("flow-Xylophone")),
                .compare(.path, .equal, .text("/okapi/")),
                .compare(.inbox, .equal, .text("private")), .compare(.seq, .equal, .integer(7)),
                .compare(.result("number"), .greater, .number(1000)),
                .compare(.id, .equal, .text(id.description)),
            ] {
                for key in [ResultQuery.Key.receivedAt, .seq, .result("number")] {
                    let lines = try await store.all(ResultQuery(condition, by: key))
                    #expect(lines.isEmpty, "\(condition)")
                }
            }
            #expect(try await store.inboxes().map(\.name) == ["default"])
            #expect(try await store.inboxes().map(\.count) == [20])
            #expect(try await store.flows(limit: 9).isEmpty)
            #expect(try await store.counts().reduce(0) { $0 + $1.count } == 20)
            #expect(try await store.verify().findings.isEmpty)
            await store.close()
        }
    }

    @Test(arguments: SegmentState.allCases, ErasedPart.allCases)
    func afterCompactionNoFileHoldsATrace(state: SegmentState, part: ErasedPart) async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, state)
        let others = try await store.all().filter { $0.number != Self.secret }.map(\.stored)
        #expect(try !traces(in: folder).isEmpty)
        try await erase(part, id, in: store)
        let report = try await store.compact()
        #expect(report.failures.isEmpty && report.removedLines == 1)
        #expect(try traces(in: folder) == [])
        #expect(try await store.all().map(\.stored) == others)
        #expect(try await store.append(sampleRecord(30)).sequence == (state == .open ? 23 : 24))
        await store.close()
        #expect(try traces(in: folder) == [])
        for isAnew in [false, true] {
            if isAnew { try folder.remove("index.sqlite") }
            let again = try ResultStore(folder, settings: state.settings)
            #expect(again.recovery.rebuildReason == (isAnew ? "there was no index" : nil))
            #expect(again.recovery.damage.isEmpty)
            let kept = try await again.all().filter { $0.number != 30 }
            #expect(kept.map(\.stored) == others)
            await again.close()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func erasingTwiceOrWhatIsNotThereChangesNothing(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, .plain, kind)
        #expect(try await store.erase(id))
        let last = try await store.storage.newestSequence()
        #expect(try await !store.erase(id))
        #expect(
            try await !store.erase(try #require(RecordID("01a1fd95-deb5-7ff9-a6b2-a205653298a5"))))
        #expect(try await store.erase(inbox: "private") == 0)
        #expect(try await store.erase(inbox: "nobody") == 0)
        #expect(try await store.storage.newestSequence() == last)
        let report = try await store.compact()
        #expect(report.failures.isEmpty)
        if kind == .files { #expect(report.removedLines == 1) }
        #expect(try await store.compact().isEmpty)
        await store.close()
    }

    @Test func erasuresThatRecoveryFindsAreDoneToTheFilesToo() async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, .plain)
        try await erase(.record, id, in: store)
        await store.close()
        try folder.remove("index.sqlite")
        let again = try ResultStore(folder, settings: SegmentState.plain.settings)
        #expect(try await again.line(of: id) == nil)
        #expect(try await again.compact().removedLines == 1)
        #expect(try traces(in: folder) == [])
        await again.close()
    }

    /// A page is looked up before its lines are read, and its client may be slow.
    @Test(arguments: StoreKind.allCases)
    func whatIsErasedAfterItWasFoundIsNotReadAnyMore(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let receipts = try await store.append((1...3).map { sampleRecord($0) })
        let outline = try await store.outline(of: ResultQuery(isDescending: false), limit: 10)
        func numbers() async throws -> [Int] {
            let (lines, damage) = try await store.lines(of: outline, 0..<outline.count)
            #expect(damage.isEmpty)
            return lines.compactMap(\.number)
        }
        #expect(try await numbers() == [1, 2, 3])
        #expect(try await store.erase(receipts[1].id))
        #expect(try await numbers() == [1, 3])
        #expect(try await store.erase(inbox: "default") == 2)
        #expect(try await numbers().isEmpty)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func anInboxThatIsErasedTakesNewRecords(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let (store, _) = try await fill(folder, .open, kind)
        #expect(try await store.erase(inbox: "default") == 20)
        _ = try await store.append(sampleRecord(31))
        #expect(try await store.numbers(.compare(.inbox, .equal, .text("default"))) == [31])
        let report = try await store.compact()
        #expect(report.failures.isEmpty)
        if kind == .files { #expect(report.removedLines == 20) }
        #expect(try await store.numbers().sorted() == [31, Self.secret])
        #expect(try await store.inboxes().map(\.count) == [1, 1])
        await store.close()
    }

    @Test(arguments: [SegmentState.plain, .compressed])
    func aSegmentWithNothingLeftIsRemoved(state: SegmentState) async throws {
        let folder = try TemporaryFolder()
        let (store, _) = try await fill(folder, state)
        for name in ["default", "private"] { _ = try await store.erase(inbox: name) }
        _ = try await store.append(sampleRecord(40, at: sampleDay(-698)))
        _ = try await store.compact()
        // The erasures' own lines are all that is left of the second day, in its first segment.
        let suffix = state == .compressed ? ".gz" : ""
        #expect(
            try folder.names(in: "results") == [
                "2024-12-22.jsonl" + suffix, "2024-12-23.jsonl" + suffix,
            ])
        #expect(try await store.numbers() == [40])
        #expect(try traces(in: folder) == [])
        await store.close()
        let again = try ResultStore(folder, settings: state.settings)
        #expect(again.recovery.rebuildReason == nil)
        #expect(try await again.append(sampleRecord(41)).sequence == again.lastSequence)
        #expect(try await again.numbers() == [41, 40])
        await again.close()
    }

    @Test func aLineThatIsErasedWhileItsSegmentIsCopiedLeavesTheDiskInTheNextRound() async throws {
        let folder = try TemporaryFolder()
        let interruption = Interruption()
        let store = try ResultStore(
            folder: StoreFolder(
                folder.path, on: HookedDisk(onRename: { _ in interruption.happen() })),
            catalog: sampleCatalog, settings: SegmentState.plain.settings)
        var ids: [RecordID] = []
        for number in 1...9 {
            let record =
                number == 6 ? Self.secretRecord() : sampleRecord(number, at: sampleDay(-700))
            ids.append(try await store.append(record).id)
        }
        _ = try await store.append(sampleRecord(10))
        #expect(try await store.erase(ids[1]))
        interruption.set { [store, ids] in
            for index in [5, 8] { _ = try? await store.erase(ids[index]) }
            // Seen by the index before the keeper goes on.
            _ = try? await store.inboxes()
        }
        #expect(try await store.compact().removedLines == 1)
        #expect(try await store.numbers() == [10, 8, 7, 5, 4, 3, 1])
        #expect(try await store.compact().removedLines == 2)
        #expect(try traces(in: folder) == [])
        #expect(try await store.numbers() == [10, 8, 7, 5, 4, 3, 1])
        await store.close()
    }

    @Test func aQueryThatKeepsTheLogOnlyDelaysItsEmptying() async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, .plain)
        // Its pages are in the log now; a reader that began before they go keeps them there.
        let snapshot = try store.index.database.makeSnapshot()
        _ = try await snapshot.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM results") }
        try await erase(.record, id, in: store)
        _ = try await store.compact()
        try snapshot.close()
        _ = try await store.compact()
        #expect(try traces(in: folder) == [])
        await store.close()
    }

    @Test func aFileThatIsReplacedWhileAQueryOpensItIsNoFailure() async throws {
        let folder = try TemporaryFolder()
        let (filled, _) = try await fill(folder, .plain)
        await filled.close()
        let interruption = Interruption()
        let store = try ResultStore(
            folder: StoreFolder(
                folder.path, on: HookedDisk(onOpen: { _ in interruption.happen() })),
            catalog: sampleCatalog, settings: StoreSettings())
        interruption.set { [store] in _ = try? await store.compact() }
        // On a thread of its own, because it is held up.
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [store] in
                let segment = SegmentName(day: "2024-12-21", part: 1)
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        try store.files.file(of: segment, generation: 0)
                    })
            }
        }
        #expect(try result.get() == nil)
        #expect(try folder.names(in: "results").allSatisfy { $0.hasSuffix(".jsonl.gz") })
        #expect(try await store.numbers().count == 22)
        await store.close()
    }

    @Test(.timeLimit(.minutes(2)), arguments: StoreKind.allCases)
    func pagesNeverFailNorTellDamageWhileRecordsComeAndGo(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.segmentBytes = 4000
        let store = try kind.open(folder, settings: settings)
        let isDone = Flag()
        for number in 1...60 {
            _ = try await store.append(sampleRecord(number, at: sampleDay(number / 12 - 730)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 61...180 {
                    let receipt = try await store.append(
                        sampleRecord(number, at: sampleDay(number / 12 - 730)))
                    if number % 3 == 0 { #expect(try await store.erase(receipt.id)) }
                    if number % 20 == 0 {
                        let line = try await store.all(ResultQuery(by: .seq), pageSize: 7).last
                        let id = RecordID(line?.root?["id"]?.string ?? "")
                        #expect(try await store.erase(try #require(id)))
                    }
                }
                isDone.set()
            }
            group.addTask {
                while !isDone.isSet {
                    let report = try await store.compact()
                    // A database's partition may be in use; the next round tries again.
                    if kind == .files { #expect(report.failures.isEmpty) }
                }
            }
            for key in [ResultQuery.Key.receivedAt, .seq] {
                group.addTask {
                    while !isDone.isSet {
                        var cursor: PageCursor?
                        var seen: Set<Int> = []
                        repeat {
                            let page = try await store.page(
                                of: ResultQuery(by: key), after: cursor, limit: 9)
                            #expect(page.damage.isEmpty)
                            for line in page.lines {
                                #expect(line.root?["seq"]?.int == line.sequence)
                                #expect(seen.insert(line.sequence).inserted)
                            }
                            cursor = page.next
                        } while cursor != nil
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = try await store.numbers()
        _ = try await store.compact()
        #expect(try await store.numbers() == expected)
        await store.close()
        let again = try kind.open(folder, settings: settings)
        #expect(again.recovery.damage.isEmpty && again.recovery.rebuildReason == nil)
        #expect(try await again.numbers() == expected)
        #expect(try await again.verify().findings.isEmpty)
        await again.close()
    }

    @Test func anInboxKeepsItsNameUntilItsRecordsHaveLeftTheDisk() async throws {
        let folder = try TemporaryFolder()
        let mayRename = Flag()
        let disk = HookedDisk(onRename: { path throws(StoreError) in
            if path.contains("/2024-"), !mayRename.isSet {
                throw .file(path: path, operation: "rename", reason: "not now")
            }
        })
        let store = try ResultStore(
            folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog,
            settings: SegmentState.plain.settings)
        for number in 1...3 {
            _ = try await store.append(sampleRecord(number, at: sampleDay(-700)))
        }
        _ = try await store.append(Self.secretRecord())
        _ = try await store.append(sampleRecord(4))
        #expect(try await store.erase(inbox: "private") == 1)
        func holdName() throws -> Int {
            try folder.names(in: "results").filter { $0.hasSuffix(".jsonl") }.count { name in
                let text = String(decoding: try folder.bytes(of: "results/\(name)"), as: UTF8.self)
                return text.contains(#""inbox":"private""#)
            }
        }
        #expect(try await store.compact().failures.count == 1)
        #expect(try holdName() == 2, "the record's file and that of the erasure")
        mayRename.set()
        #expect(try await store.compact().failures.isEmpty)
        #expect(try holdName() == 0)
        await store.close()
    }

    @Test func recordsOfDaysThatAreOverAreKeptThoughTheyComeWhileSegmentsAreCompressed()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...200 {
                    _ = try await store.append(sampleRecord(number, at: sampleDay(-700)))
                }
                isDone.set()
            }
            group.addTask {
                while !isDone.isSet { _ = try await store.compact() }
            }
            try await group.waitForAll()
        }
        #expect(try await store.numbers().sorted() == Array(1...200))
        await store.close()
        let again = try ResultStore(folder)
        #expect(try await again.numbers().sorted() == Array(1...200))
        await again.close()
    }

    @Test func aRoundThatIsGoingOnEndsWhenTheStoreIsClosed() async throws {
        let folder = try TemporaryFolder()
        let (store, id) = try await fill(folder, .plain)
        try await erase(.record, id, in: store)
        let rounds = (1...3).map { _ in
            Task { _ = try? await store.compact() }
        }
        await store.close()
        for round in rounds { await round.value }
        let again = try ResultStore(folder)
        #expect(try await again.line(of: id) == nil)
        await again.close()
    }
}

extension [UInt8] {
    /// Whether some bytes follow each other in these.
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        var rest = self[...]
        while let first = sequence.first, let start = rest.firstIndex(of: first) {
            if rest[start...].starts(with: sequence) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }
}
