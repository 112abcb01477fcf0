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
