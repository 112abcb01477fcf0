// An index that no longer matches the files is rebuilt, and then has what the old one had.

import GRDB
import Testing

@testable import ResultStore

@Suite struct ReopeningTests {
    /// A closed store with forty samples, ten of them erased, half of these compacted.
    private func fill(_ folder: TemporaryFolder) async throws -> [Int] {
        let store = try ResultStore(folder)
        var ids: [RecordID] = []
        for number in 1...40 {
            let record = sampleRecord(
                number, inbox: number % 4 == 0 ? "fourth" : "default", at: sampleDay(number / 10),
                name: "quoll \(number)")
            ids.append(try await store.append(record).id)
        }
        for id in ids.prefix(5) { #expect(try await store.erase(id)) }
        _ = try await store.compact()
        for id in ids.suffix(5) { #expect(try await store.erase(id)) }
        let numbers = try await store.numbers()
        #expect(numbers == (6...35).reversed())
        await store.close()
        return numbers
    }

    private func expectSame(_ store: ResultStore, _ numbers: [Int]) async throws {
        #expect(try await store.numbers() == numbers)
        #expect(try await store.numbers(.words(["quoll"], lastIsPrefix: false)) == numbers)
        #expect(
            try await store.numbers(.compare(.result("number"), .less, .number(20)))
                == numbers.filter { $0 < 20 })
        #expect(try await store.inboxes().map(\.count) == [23, 7])
    }

    @Test func anotherCatalogMakesTheIndexAnew() async throws {
        let folder = try TemporaryFolder()
        let numbers = try await fill(folder)
        var catalog = sampleCatalog
        catalog.fields.append(
            .init(vendor: "welltory", name: "note", paths: [["text"]], kind: .text))
        let store = try ResultStore(folder: folder.path, catalog: catalog)
        let reason = try #require(store.recovery.rebuildReason)
        #expect(reason.contains("the declared fields have changed"))
        #expect(try await store.numbers(.compare(.result("note"), .equal, .text(""))) == numbers)
        try await expectSame(store, numbers)
        await store.close()
        let again = try ResultStore(folder: folder.path, catalog: catalog)
        #expect(again.recovery.rebuildReason == nil && again.recovery.indexedRecords == 0)
        await again.close()
        // Paths and words count too.
        catalog.fields[2].paths = [["name"]]
        catalog.words = []
        let third = try ResultStore(folder: folder.path, catalog: catalog)
        #expect(third.recovery.rebuildReason != nil)
        #expect(try await third.numbers(.words(["quoll"], lastIsPrefix: false)).isEmpty)
        #expect(try await third.numbers(.compare(.result("note"), .equal, .text("quoll 9"))) == [9])
        await third.close()
    }

    @Test(arguments: [1, 99])
    func anIndexOfAnotherVersionIsMadeAnew(version: Int) async throws {
        let folder = try TemporaryFolder()
        let numbers = try await fill(folder)
        let database = try DatabaseQueue(path: folder.path + "/index.sqlite")
        try await database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
        try database.close()
        let store = try ResultStore(folder)
        #expect(store.recovery.rebuildReason?.contains("version \(version)") == true)
        try await expectSame(store, numbers)
        await store.close()
    }

    @Test func anIndexThatIsGoneIsMadeAnewWithoutWhatWasErased() async throws {
        let folder = try TemporaryFolder()
        let numbers = try await fill(folder)
        try folder.remove("index.sqlite")
        let store = try ResultStore(folder)
        #expect(store.recovery.rebuildReason == "there was no index")
        try await expectSame(store, numbers)
        #expect(try await store.compact().removedLines == 5)
        try await expectSame(store, numbers)
        #expect(try await store.append(sampleRecord(50)).sequence == 51)
        await store.close()
    }

    @Test func itCanBeMadeAnewWhenItIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let numbers = try await fill(folder)
        let store = try ResultStore(
            folder: folder.path, catalog: sampleCatalog, rebuilds: true)
        #expect(store.recovery.rebuildReason == "requested")
        try await expectSame(store, numbers)
        await store.close()
    }
}
