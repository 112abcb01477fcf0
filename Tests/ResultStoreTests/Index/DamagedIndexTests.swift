// An index that something has damaged, at rest and while it answers; and files that were changed while
// no store had them open.

import Foundation
import Testing

@testable import ResultStore

@Suite struct DamagedIndexTests {
    private static let pageBytes = 4096
    private static let segment = "results/2026-11-21.jsonl"

    private func fill(_ folder: TemporaryFolder, _ count: Int = 300) async throws {
        let store = try ResultStore(folder)
        for number in 1...count {
            _ = try await store.append(
                sampleRecord(
                    number, inbox: "inbox \(number % 7)", name: "quoll \(number)",
                    flow: number % 5 == 0 ? "flow \(number)" : nil))
        }
        await store.close()
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        return copy
    }

    private func overwrite(_ page: Int, in folder: TemporaryFolder) throws {
        let handle = try FileHandle(
            forWritingTo: URL(filePath: folder.path + "/index.sqlite"))
        try handle.seek(toOffset: UInt64(page * Self.pageBytes))
        try handle.write(contentsOf: (0..<Self.pageBytes).map { _ in UInt8.random(in: 0...255) })
        try handle.close()
    }

    private func expectAll(_ store: ResultStore, _ count: Int, _ label: String) async throws {
        let all = Array((1...count).reversed())
        #expect(try await store.numbersWhenReady() == all, "\(label)")
        let ofInbox = try await store.numbersWhenReady(.compare(.inbox, .equal, .text("inbox 3")))
        #expect(ofInbox == all.filter { $0 % 7 == 3 }, "\(label)")
        let words = try await store.numbersWhenReady(.words(["quoll"], lastIsPrefix: false))
        #expect(words == all, "\(label)")
    }

    @Test func everyPageThatIsDamagedAtRestHeals() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder)
        let pages = try folder.bytes(of: "index.sqlite").count / Self.pageBytes
        #expect(pages > 20)
        for page in (0..<pages).shuffled().prefix(40) {
            let damaged = try copy(folder)
            try overwrite(page, in: damaged)
            let store = try ResultStore(damaged)
            #expect(
                try await store.append(sampleRecord(301, inbox: "x", name: "quoll")).sequence == 301
            )
            try await expectAll(store, 301, "page \(page) of \(pages)")
            await store.close()
        }
    }

    @Test func everyPageThatIsDamagedWhileTheStoreIsOpenHeals() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder)
        let pages = try folder.bytes(of: "index.sqlite").count / Self.pageBytes
        for page in (0..<pages).shuffled().prefix(20) {
            let damaged = try copy(folder)
            let book = EventBook()
            var store = try ResultStore(
                folder: damaged.path, catalog: sampleCatalog, onEvent: { book.note($0) })
            try overwrite(page, in: damaged)
            for number in 301...310 {
                let record = sampleRecord(number, inbox: "inbox \(number % 7)", name: "quoll")
                #expect(try await store.append(record).sequence == number)
            }
            try await expectAll(store, 310, "page \(page) of \(pages), \(book.all)")
            await store.close()
            store = try ResultStore(damaged)
            try await expectAll(store, 310, "page \(page) of \(pages), again")
            await store.close()
        }
    }

    @Test func recordsAreStoredWhileTheIndexIsMadeAnewAndFoundAfterwards() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 2000)
        let book = EventBook()
        let store = try ResultStore(
            folder: folder.path, catalog: sampleCatalog, onEvent: { book.note($0) })
        store.index.reportDamage("a test wants it")
        #expect(store.status.rebuilding != nil)
        do {
            _ = try await store.numbers()
            Issue.record("it has answered")
        } catch StoreError.rebuilding {}
        for number in 2001...2300 {
            #expect(try await store.append(sampleRecord(number)).sequence == number)
            if number % 100 == 0 { store.index.reportDamage("and again") }
        }
        #expect(try await store.numbersWhenReady() == (1...2300).reversed())
        #expect(book.all.first == .indexDamaged(reason: "a test wants it"))
        await store.close()
        let again = try ResultStore(folder)
        #expect(again.recovery.rebuildReason == nil && again.recovery.indexedRecords == 0)
        await again.close()
    }

    @Test func anIndexThatIsRemovedWhileTheStoreIsOpenIsMadeAnew() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder)
        let book = EventBook()
        let store = try ResultStore(
            folder: folder.path, catalog: sampleCatalog, onEvent: { book.note($0) })
        for count in 300...303 {
            try store.folder.removeIndex()
            if count % 2 == 0 {
                // Readers are opened when several queries come together.
                await withTaskGroup(of: Void.self) { group in
                    for _ in 1...20 {
                        group.addTask {
                            do {
                                _ = try await store.numbers()
                            } catch StoreError.rebuilding {
                            } catch {
                                Issue.record(error)
                            }
                        }
                    }
                }
            }
            _ = try await store.append(
                sampleRecord(count + 1, inbox: "inbox \((count + 1) % 7)", name: "quoll"))
            try await expectAll(store, count + 1, "\(book.all)")
            #expect(try folder.files().contains("index.sqlite"))
        }
        await store.close()
    }

    @Test func whoAsksForAnIdempotencyKeyWaitsForTheIndex() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, 500)
        let store = try ResultStore(folder)
        store.index.reportDamage("a test wants it")
        let lines = try await store.lines(
            idempotencyKey: "none", inbox: "default", vendor: "welltory")
        #expect(lines.isEmpty)
        // Also the query that finds it removed.
        try store.folder.removeIndex()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    let lines = try await store.lines(
                        idempotencyKey: "none \(number)", inbox: "default", vendor: "welltory")
                    #expect(lines.isEmpty)
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }

    @Test func anIndexThatCanNotBeWrittenIsReportedUntilItCan() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        func setReadOnly(_ isReadOnly: Bool) throws {
            try store.index.database.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA query_only = \(isReadOnly)")
            }
        }
        try setReadOnly(true)
        _ = try await store.append(sampleRecord(1))
        await #expect(throws: StoreError.self) { try await store.numbers() }
        guard case .index = store.status.indexFailure else {
            Issue.record("\(store.status)")
            return
        }
        try setReadOnly(false)
        #expect(try await store.numbers() == [1])
        #expect(store.status.indexFailure == nil)
        await store.close()
    }

    // MARK: Files that are not those of before

    /// A closed store of three days; the middle one is its second segment.
    private func fillDays(_ folder: TemporaryFolder) async throws {
        var settings = StoreSettings()
        settings.compresses = false
        let store = try ResultStore(folder, settings: settings)
        for number in 1...30 {
            _ = try await store.append(sampleRecord(number, at: sampleDay(number / 10 - 9)))
        }
        await store.close()
    }

    @Test(arguments: ["swapped", "shorter", "longer", "same size"])
    func anOlderDayThatWasChangedMakesTheIndexAnew(kind: String) async throws {
        let folder = try TemporaryFolder()
        try await fillDays(folder)
        let names = try folder.names(in: "results").map { "results/" + $0 }
        #expect(names.count == 4)
        let bytes = try folder.bytes(of: names[1])
        switch kind {
        case "swapped":
            try folder.write(folder.bytes(of: names[2]), to: names[1])
            try folder.write(bytes, to: names[2])
        case "shorter": try folder.write(bytes.prefix(bytes.count / 2), to: names[1])
        case "longer": try folder.write(bytes + bytes.suffix(700), to: names[1])
        default:
            // Another order of the same lines.
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            let end = [UInt8(ascii: "\n")]
            try folder.write(
                Array(lines.reversed().joined(separator: end)) + end, to: names[1])
        }
        let store = try ResultStore(folder)
        #expect(store.recovery.rebuildReason != nil, "\(kind)")
        let found = try await store.numbers()
        #expect(found.count >= 20 && Set(found).count == found.count, "\(kind): \(found)")
        if kind == "swapped" || kind == "same size" { #expect(found == (1...30).reversed()) }
        await store.close()
        let again = try ResultStore(folder)
        #expect(again.recovery.rebuildReason == nil, "\(kind)")
        await again.close()
    }
}
