// Copies of lines from one store to another, in both directions.

import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) struct StoreCopyTests {
    private static let directions: [(StoreKind, StoreKind)] = [
        (.files, .database), (.database, .files), (.files, .files), (.database, .database),
    ]

    private func lines(_ store: ResultStore) async throws -> [StoredLine] {
        try await store.all(ResultQuery(.everything, by: .seq, isDescending: false))
    }

    @Test(arguments: directions)
    func aCopyHasTheSameLinesWithTheirNumbers(from: StoreKind, to: StoreKind) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let source = try from.open(first)
        let target = try to.open(second)
        for number in 1...30 {
            _ = try await source.append(
                sampleRecord(number, inbox: "i\(number % 3)", name: "n\(number)", flow: "f"))
        }
        let gone = try #require(try await lines(source).dropFirst(4).first)
        #expect(try await source.erase(try #require(source.facts(in: gone)?.id)))
        _ = try await source.append(sampleRecord(31))
        let part = try await Array(lines(source).prefix(20))
        #expect(try await target.copy(part, keepingNumbers: true) == 20)
        // The rest, as after an interruption.
        let all = try await lines(source)
        #expect(try await target.copy(Array(all.dropFirst(20)), keepingNumbers: true) == 10)
        #expect(try await lines(target).map(\.stored) == all.map(\.stored))
        await #expect(throws: StoreError.self) {
            try await target.copy(part, keepingNumbers: true)
        }
        #expect(try await lines(target).count == 30)
        let receipt = try await target.append(sampleRecord(32))
        #expect(receipt.sequence > all.map(\.sequence).max() ?? .max)
        #expect(try await target.numbers(.compare(.inbox, .equal, .text("i1"))).count == 10)
        #expect(try await target.numbers(.words(["n7"], lastIsPrefix: false)) == [7])
        #expect(try await target.verify().findings.isEmpty)
        await source.close()
        await target.close()
    }

    /// A store of nine records, of which the seventh can't be read.
    private func damagedStore(
        _ kind: StoreKind, _ folder: TemporaryFolder
    ) async throws -> ResultStore {
        let store = try kind.open(folder)
        _ = try await store.append((1...9).map { sampleRecord($0) })
        if kind == .database {
            try TestDatabase.shared.get().connection(to: folder).run(
                "UPDATE results SET tail = 'garbage' WHERE seq = 7")
            return store
        }
        await store.close()
        let name = try #require(folder.names(in: "results").first)
        var bytes = try folder.bytes(of: "results/" + name)
        let place = try #require(bytes.firstRange(of: Array(#""/7""#.utf8))).lowerBound
        bytes[place + 1] ^= 1
        try folder.write(bytes, to: "results/" + name)
        return try kind.open(folder)
    }

    @Test(arguments: directions)
    func whatCantBeReadIsLeftOutAndNamedByEachCopy(from: StoreKind, to: StoreKind) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let source = try await damagedStore(from, first)
        let target = try to.open(second)
        var omissions: [String] = []
        var copy = try await source.copy(
            to: target, onOmission: { omissions.append($0) }, onProgress: { _, _ in })
        #expect(copy?.copied == 8 && copy?.leftOut == 1 && omissions.count == 1)
        // What is erased there isn't lacking; what is erased here is named.
        let gone = try #require(try await lines(target).first)
        let goneID = try #require(target.facts(in: gone)?.id)
        #expect(try await source.erase(goneID))
        let erased = try #require(try await lines(target).dropLast().last)
        #expect(try await target.erase(try #require(target.facts(in: erased)?.id)))
        _ = try await source.append(sampleRecord(10))
        omissions = []
        copy = try await source.copy(
            to: target, onOmission: { omissions.append($0) }, onProgress: { _, _ in })
        #expect(copy?.copied == 1 && copy?.leftOut == 1)
        #expect(copy?.onlyThere == [goneID])
        #expect(omissions == ["the record with seq 7, as by an earlier copy"])
        #expect(try await lines(target).compactMap(\.number) == [1, 2, 3, 4, 5, 6, 9, 10])
        // Other records aren't added to.
        _ = try await target.append(sampleRecord(11))
        copy = try await source.copy(to: target, onOmission: { _ in }, onProgress: { _, _ in })
        #expect(copy == nil)
        await source.close()
        await target.close()
    }

    @Test(arguments: directions)
    func whatWasErasedSinceAnEarlierCopyIsNamedByEachLaterOne(
        from: StoreKind, to: StoreKind
    ) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let source = try from.open(first)
        let target = try to.open(second)
        for number in 1...6 { _ = try await source.append(sampleRecord(number)) }
        var copy = try await source.copy(to: target, onOmission: { _ in }, onProgress: { _, _ in })
        #expect(copy?.copied == 6 && copy?.onlyThere == [])
        let ids = try await lines(source).compactMap { source.facts(in: $0)?.id }
        for index in [1, 3, 4] { #expect(try await source.erase(ids[index])) }
        for added in [1, 0] {
            if added > 0 { _ = try await source.append(sampleRecord(7)) }
            copy = try await source.copy(to: target, onOmission: { _ in }, onProgress: { _, _ in })
            #expect(copy?.copied == added && copy?.leftOut == 0)
            #expect(copy?.onlyThere == [ids[1], ids[3], ids[4]])
        }
        #expect(try await lines(target).count == 7)
        await source.close()
        await target.close()
    }

    @Test(arguments: directions)
    func nothingIsCopiedPastARecordWhoseNumberAnErasureHas(
        from: StoreKind, to: StoreKind
    ) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let source = try from.open(first)
        let target = try to.open(second)
        for number in 1...3 { _ = try await source.append(sampleRecord(number)) }
        _ = try await source.copy(to: target, onOmission: { _ in }, onProgress: { _, _ in })
        let erased = try #require(try await lines(target).first)
        #expect(try await target.erase(try #require(target.facts(in: erased)?.id)))
        for number in 4...5 { _ = try await source.append(sampleRecord(number)) }
        for _ in 1...2 {
            #expect(
                try await source.copy(to: target, onOmission: { _ in }, onProgress: { _, _ in })
                    == nil)
        }
        #expect(try await lines(target).compactMap(\.number) == [2, 3])
        await source.close()
        await target.close()
    }

    @Test(arguments: StoreKind.allCases)
    func linesWhoseIdsAreThereAreLeftOutAndOthersGetNewNumbers(kind: StoreKind) async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let source = try ResultStore(first)
        let target = try kind.open(second)
        _ = try await target.append(sampleRecord(100))
        for number in 1...10 { _ = try await source.append(sampleRecord(number)) }
        let all = try await lines(source)
        #expect(try await target.copy(Array(all.prefix(4)), keepingNumbers: false) == 4)
        #expect(try await target.copy(all, keepingNumbers: false) == 6)
        #expect(try await target.copy(all, keepingNumbers: false) == 0)
        #expect(try await lines(target).compactMap(\.number) == [100] + Array(1...10))
        #expect(try await lines(target).map(\.sequence) == Array(1...11))
        await source.close()
        await target.close()
    }
}
