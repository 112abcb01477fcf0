// Filters, pages and cursors.

import Clocks
import Testing

@testable import ResultStore

@Suite struct QueryTests {
    private func filledStore(_ folder: TemporaryFolder) async throws -> ResultStore {
        let store = try ResultStore(folder: folder.path)
        for number in 1...60 {
            _ = try await store.append(
                sampleRecord(
                    number, inbox: number % 5 == 0 ? "five" : "default",
                    vendor: number % 2 == 0 ? "welltory" : "ailet"))
        }
        return store
    }

    /// The samples that have exactly these properties, newest first.
    private func numbers(where isMember: (Int) -> Bool) -> [Int] {
        (1...60).reversed().filter(isMember)
    }

    @Test(arguments: [1, 7, 60, 100])
    func pagesOfAnySizeGiveEachResultOnceNewestFirst(size: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder)
        let lines = try await allLines(of: store, pageSize: size)
        #expect(lines.compactMap(\.number) == numbers { _ in true })
        await store.close()
    }

    @Test func resultsOfTheSameMillisecondAreOrderedByNumber() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder: folder.path)
        for number in 1...10 { _ = try await store.append(sampleRecord(number, at: sampleMoment)) }
        let lines = try await allLines(of: store, pageSize: 3)
        #expect(lines.compactMap(\.number) == (1...10).reversed())
        await store.close()
    }

    @Test func eachFilterLeavesWhatItAsksFor() async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder)
        let base = sampleMoment.unixMilliseconds
        let cases: [(String, (inout ResultFilter) -> Void, (Int) -> Bool)] = [
            ("vendor", { $0.vendor = "ailet" }, { $0 % 2 == 1 }),
            ("inbox", { $0.inbox = "five" }, { $0 % 5 == 0 }),
            ("outcome", { $0.outcome = "completed" }, { $0 % 2 == 0 }),
            ("verdict", { $0.verdict = "undecodable" }, { $0 % 3 == 0 }),
            ("after", { $0.receivedAfter = Timestamp(unixMilliseconds: base + 40) }, { $0 > 40 }),
            ("before", { $0.receivedBefore = Timestamp(unixMilliseconds: base + 4) }, { $0 < 4 }),
            ("none", { $0.inbox = "nobody" }, { _ in false }),
            (
                "all",
                {
                    $0.vendor = "welltory"
                    $0.inbox = "five"
                    $0.verdict = "undecodable"
                },
                { $0 % 30 == 0 }
            ),
        ]
        for (name, set, isMember) in cases {
            var filter = ResultFilter()
            set(&filter)
            let lines = try await allLines(of: store, matching: filter, pageSize: 4)
            #expect(lines.compactMap(\.number) == numbers(where: isMember), "\(name)")
        }
        await store.close()
    }

    @Test func aCursorStaysWhereItWasWhileResultsArrive() async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder)
        let first = try await store.page(matching: ResultFilter(), limit: 20)
        for number in 61...80 { _ = try await store.append(sampleRecord(number)) }
        let second = try await store.page(
            matching: ResultFilter(), after: first.next, limit: 40)
        #expect((first.lines + second.lines).compactMap(\.number) == (1...60).reversed())
        #expect(second.next == nil)
        await store.close()
    }

    @Test func aCursorReadsBackAndBelongsToItsFilterOnly() throws {
        var filter = ResultFilter()
        filter.vendor = "ailet"
        let cursor = PageCursor(receivedAt: sampleMoment, sequence: 42, filter: filter)
        let again = try #require(PageCursor(cursor.text))
        #expect(again == cursor)
        #expect(again.belongs(to: filter))
        #expect(!again.belongs(to: ResultFilter()))
    }

    @Test(arguments: ["", "x", "1.2", "1.2.3.4", "..", "1.2.zzzzzzzzzz", "é.1.1"])
    func whatIsNoCursorIsRefused(text: String) {
        #expect(PageCursor(text) == nil)
    }

    @Test func inboxesAreCountedAsTheyFill() async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder)
        let inboxes = try await store.inboxes()
        #expect(inboxes.map(\.name) == ["default", "five"])
        #expect(inboxes.map(\.count) == [48, 12])
        let last = Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + 60)
        #expect(inboxes.last?.lastReceivedAt == last)
        await store.close()
    }

    @Test func anUnknownIDHasNoLine() async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder)
        let id = try #require(RecordID("01a1fd95-deb5-7ff9-a6b2-a205653298a5"))
        #expect(try await store.line(of: id) == nil)
        await store.close()
    }
}

@Suite struct RecordIDTests {
    @Test func anIDCarriesVersionVariantAndTime() throws {
        var generator = SystemRandomNumberGenerator()
        let id = RecordID(at: 0x0123_4567_89AB, using: &generator)
        let text = id.description
        #expect(text.hasPrefix("01234567-89ab-7"))
        #expect(["8", "9", "a", "b"].contains(Array(text)[19]))
        #expect(RecordID(text) == id)
        #expect(RecordID(text.uppercased()) == id)
    }

    @Test(arguments: [
        "", "01a1fd95", "01a1fd95-deb5-7ff9-a6b2-a205653298a",
        "01a1fd95-deb5-7ff9-a6b2-a205653298a55",
        "01a1fd95xdeb5-7ff9-a6b2-a205653298a5", "01a1fd95-deb5-7ff9-a6b2-a205653298ag",
        "01a1fd95-deb5-7ff9-a6b2-a205653298é",
    ])
    func whatIsNoUUIDIsRefused(text: String) {
        #expect(RecordID(text) == nil)
    }
}

@Suite struct SegmentNameTests {
    @Test(arguments: [
        ("2026-11-21.jsonl", true), ("2026-11-21-2.jsonl", true), ("2026-11-21-17.jsonl", true),
        ("2026-11-21-1.jsonl", false), ("2026-11-31.jsonl", false), ("2026-11-21.jsonl.gz", false),
        ("torn", false), ("2026-11-21-x.jsonl", false), ("2026-11-21--2.jsonl", false),
    ])
    func onlySegmentsAreTakenForSegments(fileName: String, isSegment: Bool) {
        let name = SegmentName(fileName: fileName)
        #expect((name != nil) == isSegment)
        if let name { #expect(name.fileName == fileName) }
    }

    @Test func segmentsSortByDayThenByPart() {
        let names = [
            "2026-11-21-10.jsonl", "2026-11-22.jsonl", "2026-11-21.jsonl", "2026-11-21-2.jsonl",
        ]
        let sorted = names.compactMap { SegmentName(fileName: $0) }.sorted().map(\.fileName)
        #expect(
            sorted == [
                "2026-11-21.jsonl", "2026-11-21-2.jsonl", "2026-11-21-10.jsonl", "2026-11-22.jsonl",
            ])
    }
}
