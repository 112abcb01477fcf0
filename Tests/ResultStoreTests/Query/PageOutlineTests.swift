// Pages that are bounded in bytes, and read piece by piece.

import JSON
import Testing

@testable import ResultStore

@Suite struct PageOutlineTests {
    /// Six results of 100 kB each, and one of 1 MB among them.
    private func filledStore(
        _ folder: TemporaryFolder, _ kind: StoreKind
    ) async throws -> ResultStore {
        let store = try kind.open(folder)
        for number in 1...7 {
            _ = try await store.append(
                sampleRecord(
                    number, inbox: "inbox-\(number)", padding: number == 4 ? 1_000_000 : 100_000))
        }
        return store
    }

    @Test(
        arguments: [
            (1, [1, 1, 1, 1, 1, 1, 1]), (250_000, [2, 1, 1, 2, 1]), (2_000_000, [7]),
        ], StoreKind.allCases)
    func aPageEndsWithItsBytesAndTheNextGoesOn(
        page: (bytes: Int, counts: [Int]), kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let query = ResultQuery(.everything, by: .seq, isDescending: false)
        var numbers: [Int] = []
        var found: [Int] = []
        var cursor: PageCursor?
        repeat {
            let part = try await store.page(of: query, after: cursor, limit: 100, bytes: page.bytes)
            numbers += part.lines.compactMap(\.number)
            found.append(part.lines.count)
            cursor = part.next
        } while cursor != nil
        #expect(numbers == Array(1...7))
        #expect(found == page.counts)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aPieceHasItsBytesOrASingleLine(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let query = ResultQuery(.everything, by: .seq, isDescending: false)
        let outline = try await store.outline(of: query, limit: 100)
        var (start, ranges, numbers): (Int, [Range<Int>], [Int]) = (0, [], [])
        while start < outline.count {
            let piece = outline.piece(from: start, upTo: 250_000)
            let (lines, damage) = try await store.lines(of: outline, piece.range)
            // A database knows the size of what it keeps of a line, which is all but its beginning.
            let beginnings = lines.reduce(0) { $0 + $1.size } - piece.bytes
            #expect(kind == .files ? beginnings == 0 : 1..<200 ~= beginnings / lines.count)
            #expect(damage.isEmpty)
            numbers += lines.compactMap(\.number)
            ranges.append(piece.range)
            start = piece.range.upperBound
        }
        #expect(ranges == [0..<2, 2..<3, 3..<4, 4..<6, 6..<7])
        #expect(numbers == Array(1...7))
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func factsAreFoundOfResultsThatAreLargeTogetherUpToALimit(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        for (bytes, found) in [(2_000_000, [7, 6, 5, 4, 3, 2, 1]), (250_000, [7, 6]), (1, [7])] {
            let facts = try await store.facts(of: ResultQuery(), limit: 500, bytes: bytes)
            #expect(facts.map(\.sequence) == found)
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func whatCameAfterANumberIsFoundAmongWhatWasDecodedAgain(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let receipts = try await store.append((1...6).map { sampleRecord($0) })
        for number in [2, 1, 5] {
            _ = try await store.append(
                sampleRecord(number).decodedAgain(after: receipts[number - 1]))
        }
        _ = try await store.append(sampleRecord(7))
        // The lines are 3 4 6, then 2 1 5 as 7 to 9, then 7.
        for (after, last, limit, found) in [
            (3, 10, 9, [4, 5, 6, 7]), (3, 10, 3, [4, 5, 6]), (6, 10, 1, [7]), (6, 9, 9, []),
            (1, 10, 2, [2, 3]), (0, 9, 9, [1, 2, 3, 4, 5, 6]),
        ] {
            let outline = try await store.outline(
                of: .everything, cameAfter: after, through: last, limit: limit)
            let (lines, _) = try await store.lines(of: outline, 0..<outline.count)
            #expect(lines.compactMap(\.number) == found)
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func onlyTheMemberOfARecordSaysThatItWasDecodedAgain(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        var first = sampleRecord(1)
        first.result = try JSONDocument(parsing: Array(#"{"a":1,"redecoded_at":"2026"}"#.utf8))
        let receipts = try await store.append([first, sampleRecord(2), sampleRecord(3)])
        _ = try await store.append(sampleRecord(2).decodedAgain(after: receipts[1]))
        var found: [Bool] = []
        for receipt in receipts {
            let location = try #require(await store.storage.location(of: receipt.id))
            found.append(try await store.storage.isDecodedAgain(location))
        }
        #expect(found == [false, true, false])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func pagesThatFollowEachOtherHaveWhatIsDecodedAgainBetweenThemOnce(
        kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let receipts = try await store.append((1...6).map { sampleRecord($0) })
        // Decoded again: one that is on no page yet, one of the first page, the former again.
        let again = [3, 1, 3]
        var (after, found): (Int, [Int]) = (0, [])
        for page in 0..<8 {
            let last = try await store.storage.newestSequence()
            let outline = try await store.outline(
                of: .everything, cameAfter: after, through: last, limit: 1)
            guard outline.count == 1 else { break }
            let (lines, _) = try await store.lines(of: outline, 0..<1)
            found += lines.compactMap(\.number)
            after = outline.arrivalNumber(at: 0)
            guard again.indices.contains(page) else { continue }
            let number = again[page]
            _ = try await store.append(
                sampleRecord(number).decodedAgain(after: receipts[number - 1]))
        }
        #expect(found == Array(1...6) && after == 6)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func theFingerprintTellsPagesApart(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let first = try await store.outline(of: ResultQuery(), limit: 3)
        let again = try await store.outline(of: ResultQuery(), limit: 3)
        let more = try await store.outline(of: ResultQuery(), limit: 4)
        #expect(first.fingerprint == again.fingerprint)
        #expect(first.fingerprint != more.fingerprint)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func inboxesComeInPages(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let first = try await store.inboxes(limit: 3)
        #expect(first.map(\.name) == ["inbox-1", "inbox-2", "inbox-3"])
        let rest = try await store.inboxes(after: "inbox-3", limit: 100)
        #expect(rest.map(\.name) == ["inbox-4", "inbox-5", "inbox-6", "inbox-7"])
        await store.close()
    }
}
