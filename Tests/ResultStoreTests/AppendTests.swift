// From a record to a durable line: order, checksums, format.

import Clocks
import Foundation
import JSON
import Testing

@testable import ResultStore

@Suite struct AppendTests {
    @Test func aThousandRecordsOfConcurrentWritersAreAllThereInOrderWithValidChecksums()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let receipts = try await withThrowingTaskGroup(of: [Receipt].self) { group in
            for writer in 0..<20 {
                group.addTask {
                    var receipts: [Receipt] = []
                    for number in 0..<50 {
                        receipts.append(try await store.append(sampleRecord(writer * 50 + number)))
                    }
                    return receipts
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(receipts.map(\.sequence)) == Set(1...1000))
        #expect(Set(receipts.map(\.id)).count == 1000)

        let lines = try folder.bytes(of: "results/2026-11-21.jsonl").split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(lines.count == 1001)
        #expect(lines.last?.isEmpty == true)
        let sequences = try lines.dropLast().map { line in
            #expect(RecordLine.isIntact(line))
            return try JSONDocument(parsing: Array(line)).root["seq"]?.int
        }
        #expect(sequences == Array(1...1000))
        #expect(try await store.all().count == 1000)
        await store.close()
    }

    @Test func aLineHasItsKeysInTheOrderOfTheFormat() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let receipt = try await store.append(sampleRecord(4))
        await store.close()
        let line = String(
            decoding: try folder.bytes(of: "results/2026-11-21.jsonl"), as: UTF8.self)
        let checksum = line.dropFirst(10).prefix(8)
        #expect(
            line == #"{"crc32":"\#(checksum)","id":"\#(receipt.id)","seq":1,"kind":"callback","#
                + #""received_at":"2026-11-21T06:13:00.127Z","inbox":"default","#
                + #""vendor":"welltory","contract":"welltory-dds","outcome":"completed","#
                + #""verdict":"decoded","flow":null,"#
                + #""request":{"method":"GET","target":"/4","body":null},"#
                + #""result":{"number":4,"text":""},"diagnostics":[]}"# + "\n")
    }

    @Test func anyFlippedByteOfALineIsNoticed() throws {
        var line: [UInt8] = []
        var generator = SystemRandomNumberGenerator()
        RecordLine.append(
            id: RecordID(at: 0, using: &generator), sequence: 1, kind: .callback,
            receivedAt: sampleMoment, tail: RecordLine.tail(of: sampleRecord(1)), to: &line)
        line.removeLast()
        #expect(RecordLine.isIntact(line[...]))
        for index in line.indices {
            var damaged = line
            damaged[index] ^= 0x01
            #expect(!RecordLine.isIntact(damaged[...]), "byte \(index)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aResultIsVisibleToAQueryThatFollowsItsReceipt(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        for number in 1...200 {
            let receipt = try await store.append(sampleRecord(number))
            let line = try await store.line(of: receipt.id)
            #expect(line?.number == number)
            let page = try await store.page(of: ResultQuery(), limit: 1)
            #expect(page.lines.first?.number == number)
        }
        await store.close()
    }

    @Test func aNewDayBeginsANewSegmentAndALateRecordStaysWithTheCurrentOne() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let day: Int64 = 86_400_000
        let tomorrow = Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + day)
        _ = try await store.append(sampleRecord(1))
        _ = try await store.append(sampleRecord(2, at: tomorrow))
        _ = try await store.append(sampleRecord(3))
        #expect(try folder.names(in: "results") == ["2026-11-21.jsonl", "2026-11-22.jsonl"])
        #expect(try await store.all().map(\.number) == [2, 3, 1])
        await store.close()
    }

    @Test func aFullSegmentIsFollowedByTheNextPartOfItsDay() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.segmentBytes = 1000
        let store = try ResultStore(folder, settings: settings)
        for number in 1...12 { _ = try await store.append(sampleRecord(number)) }
        let names = try folder.names(in: "results")
        #expect(names.count > 2)
        #expect(names.contains("2026-11-21.jsonl") && names.contains("2026-11-21-2.jsonl"))
        #expect(try await store.all().compactMap(\.number) == (1...12).reversed())
        await store.close()
        let again = try ResultStore(folder, settings: settings)
        _ = try await again.append(sampleRecord(13))
        #expect(try await again.all().map(\.sequence) == (1...13).reversed())
        await again.close()
    }

    @Test(arguments: StoreKind.allCases)
    func nothingIsAcceptedAfterClosing(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.append(sampleRecord(1)) }
    }

    @Test func aLockWithoutAServerReplacesTheAddressesOfAServerThatWasKilled() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("1\nhttp://127.0.0.1:8080\n".utf8), to: "LOCK")
        let lock = try FolderLock(folder.path)
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        let locked = StoreError.locked(folder: folder.path, process: process, addresses: [])
        #expect(locked.isLockedByNoServer)
        #expect(throws: locked) { _ = try FolderLock(folder.path) }
        lock.unlock()
    }

    @Test func aSecondStoreOnTheSameFolderIsRefusedByName() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        func locked(by addresses: [String]) -> StoreError {
            .locked(folder: folder.path, process: process, addresses: addresses)
        }
        #expect(throws: locked(by: [])) { _ = try ResultStore(folder) }
        let addresses = ["http://127.0.0.1:8080", "https://[::1]:8443"]
        store.announce(addresses: addresses)
        #expect(throws: locked(by: addresses)) { _ = try ResultStore(folder) }
        #expect(ResultStore.announcedAddresses(in: folder.path).count == 2)
        await store.close()
        #expect(ResultStore.announcedAddresses(in: folder.path).isEmpty)
        #expect(ResultStore.announcedAddresses(in: "/nowhere").isEmpty)
    }

    @Test func whatIsNoAddressInTheLockFileIsLeftOut() {
        let holder = Holder(Array("12\n file:///etc/passwd\n\nhttp://a:1\n\0\u{FF}\n".utf8))
        #expect(holder == Holder(process: "12", addresses: ["http://a:1"]))
        #expect(Holder([]) == Holder(process: "", addresses: []))
        #expect(Holder(Array("http://a\n".utf8)) == Holder(process: "", addresses: []))
        #expect(Holder(holder.text) == holder)
    }

    /// What was erased between reading and replacing stays erased; what was not is replaced.
    @Test(arguments: ErasedPart.allCases, StoreKind.allCases)
    func aReplacementOfWhatWasErasedMeanwhileIsRefused(
        part: ErasedPart, kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let moment = sampleDay(-1)
        let gone = try await store.append(sampleRecord(1, inbox: "private", at: moment))
        let kept = try await store.append(sampleRecord(2, at: moment))
        switch (part, kind) {
        case (.record, .files): try await store.journal.erase(.record(gone.id))
        case (.inbox, .files):
            let scope = Erasure.Scope.inbox("private", through: Erasure.Bound(kept.number))
            try await store.journal.erase(scope)
        case (.record, .database): #expect(try await store.erase(gone.id))
        case (.inbox, .database): #expect(try await store.erase(inbox: "private") == 1)
        }
        for (receipt, inbox, isErased) in [(gone, "private", true), (kept, "default", false)] {
            var record = sampleRecord(3, inbox: inbox, at: moment)
            record.id = receipt.id
            record.redecodedAt = .now
            record.replaces = receipt.number
            let error: StoreError?
            do throws(StoreError) {
                _ = try await store.append(record)
                error = nil
            } catch let failure {
                error = failure
            }
            #expect(error == (isErased ? .erased : nil))
            #expect(try await store.line(of: receipt.id) == nil || !isErased)
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordThatIsDecodedAgainIsThereOnceWithWhatItsNewLineSays(
        kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let receipts = try await store.append(
            (1...4).map { sampleRecord($0, name: "quoll \($0)", flow: "flow") })
        var record = sampleRecord(2, inbox: "other", name: "numbat", padding: 9)
        (record.id, record.redecodedAt) = (receipts[1].id, .now)
        record.replaces = receipts[1].number
        #expect(try await store.append(record).number == 5)
        for isReopened in [false, true] {
            let store = isReopened ? try kind.open(folder) : store
            let line = try await store.line(of: receipts[1].id)
            #expect(line?.sequence == 5 && line?.root?["redecoded_at"]?.string != nil)
            #expect(try await store.all().map(\.sequence) == [4, 3, 5, 1])
            #expect(try await store.numbers(.words(["numbat"], lastIsPrefix: false)) == [2])
            #expect(try await store.numbers(.words(["quoll"], lastIsPrefix: false)) == [4, 3, 1])
            #expect(try await store.numbers(.compare(.flow, .equal, .text("flow"))) == [4, 3, 1])
            #expect(try await store.inboxes().map(\.count) == [3, 1])
            #expect(try await store.verify().findings.isEmpty)
            if isReopened { #expect(try await store.erase(receipts[1].id)) }
            if isReopened { #expect(try await store.numbers() == [4, 3, 1]) }
            await store.close()
        }
    }

    /// - Parameter age: how long ago results were received, in milliseconds; below 0 by a clock that
    ///   was ahead.
    @Test(arguments: StoreKind.allCases, [1000, -86_400_000])
    func whatIsDecodedAgainWhileAListIsReadIsInItOnce(kind: StoreKind, age: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        // All of one millisecond, and more than a part of an export has.
        let moment = Timestamp(
            unixMilliseconds: Timestamp.now.unixMilliseconds - Int64(age))
        let all = Array(1...ResultStore.pageLimit + 100)
        let records = all.map { sampleRecord($0, at: moment) }
        let receipts = try await store.append(records)
        func redecode(_ numbers: Int...) async throws {
            for index in numbers.map({ $0 - 1 }) {
                _ = try await store.append(records[index].decodedAgain(after: receipts[index]))
            }
        }
        var export = store.export(.everything).makeAsyncIterator()
        var exported = try #require(try await export.next()).lines.compactMap(\.number)
        try await redecode(1, 300, all.count - 50, all.count)
        while let part = try await export.next() { exported += part.lines.compactMap(\.number) }
        #expect(exported == all)
        for isDescending in [true, false] {
            let query = ResultQuery(isDescending: isDescending)
            var page = try await store.page(of: query, limit: 250)
            var found = page.lines.compactMap(\.number)
            try await redecode(7, 299, all.count - 7)
            while let next = page.next {
                page = try await store.page(of: query, after: next, limit: 250)
                found += page.lines.compactMap(\.number)
            }
            #expect(found == (isDescending ? all.reversed() : all))
        }
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        let again = try kind.openWithNewIndex(folder)
        #expect(try await again.numbers() == all.reversed())
        await again.close()
    }

    /// Between looking up a list and reading its lines, their segment may be rewritten, too.
    @Test(arguments: StoreKind.allCases)
    func aRecordThatIsDecodedAgainAfterItWasFoundIsStillRead(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let moment = Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - 1000)
        let records = (1...3).map { sampleRecord($0, at: moment) }
        let receipts = try await store.append(records)
        let outline = try await store.outline(of: ResultQuery(isDescending: false), limit: 10)
        _ = try await store.append(records[1].decodedAgain(after: receipts[1]))
        #expect(try await store.erase(receipts[0].id))
        #expect(try await store.compact().failures.isEmpty)
        let (lines, damage) = try await store.lines(of: outline, 0..<outline.count)
        #expect(lines.compactMap(\.number) == [2, 3] && damage.isEmpty)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func whatIsThereIsNotImportedAgain(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let records = (1...30).map { number in
            var record = sampleRecord(number)
            record.id = RecordID(at: record.receivedAt)
            return record
        }
        #expect(try await store.appendMissing(Array(records[..<20])) == 20)
        #expect(try await store.appendMissing(Array(records[..<20])) == 0)
        #expect(try await store.appendMissing(records + records) == 10)
        let exported = try await store.export(.compare(.seq, .less, .integer(26))).reduce(
            into: [Int]()
        ) { $0 += $1.lines.compactMap(\.number) }
        #expect(exported == Array(1...25))
        // What has come since an export began is left out of it.
        var export = store.export(.everything).makeAsyncIterator()
        let first = try #require(try await export.nextOutline())
        _ = try await store.append(sampleRecord(31))
        #expect(first.count == 30)
        #expect(try await export.nextOutline() == nil)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }
}
