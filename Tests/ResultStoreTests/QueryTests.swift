// Filters, pages and cursors.

import Clocks
import Testing

@testable import ResultStore

@Suite struct QueryTests {
    private func filledStore(
        _ folder: TemporaryFolder, _ kind: StoreKind
    ) async throws -> ResultStore {
        let store = try kind.open(folder)
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

    @Test(arguments: [1, 7, 60, 100], StoreKind.allCases)
    func pagesOfAnySizeGiveEachResultOnceNewestFirst(size: Int, kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let lines = try await store.all(pageSize: size)
        #expect(lines.compactMap(\.number) == numbers { _ in true })
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aCancelledTaskGetsNoResults(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let outline = try await store.outline(of: ResultQuery(.everything), limit: 60)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await #expect(throws: StoreError.cancelled) {
                try await store.outline(of: ResultQuery(.everything), limit: 60)
            }
            await #expect(throws: StoreError.cancelled) { try await store.flows(limit: 60) }
            await #expect(throws: StoreError.cancelled) {
                try await store.lines(of: outline, 0..<60)
            }
        }
        task.cancel()
        await task.value
        await store.close()
    }

    @Test func aCancelledTaskVerifiesNothing() async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, .files)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await #expect(throws: StoreError.cancelled) { try await store.verify() }
        }
        task.cancel()
        await task.value
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func totalIsTheNumberOfAllPages(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let conditions: [(Condition, Int)] = [
            (.everything, 60), (.compare(.vendor, .equal, .text("ailet")), 30),
            (.compare(.inbox, .equal, .text("five")), 12),
            (
                .all([
                    .compare(.inbox, .equal, .text("five")),
                    .compare(.vendor, .equal, .text("ailet")),
                ]), 6
            ),
            (
                .all([
                    .compare(.inbox, .equal, .text("five")),
                    .compare(.inbox, .equal, .text("nobody")),
                ]), 0
            ),
            (
                .any([
                    .compare(.inbox, .equal, .text("five")),
                    .compare(.vendor, .equal, .text("ailet")),
                ]), 36
            ),
            (
                .any([
                    .compare(.inbox, .equal, .text("five")),
                    .compare(.vendor, .equal, .text("welltory")),
                ]), 36
            ),
            (.compare(.path, .equal, .text("/9")), 1),
            (.compare(.inbox, .equal, .text("nobody")), 0),
            (.compare(.result("number"), .less, .number(21)), 10),
        ]
        for (condition, count) in conditions {
            let query = ResultQuery(condition)
            let first = try await store.outline(of: query, limit: 7, counts: true)
            #expect(first.total == ResultTotal(count: count, isExact: true), "\(condition)")
            guard let cursor = first.next else { continue }
            let second = try await store.outline(of: query, after: cursor, limit: 7, counts: true)
            #expect(second.total == first.total)
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func oneQueryMayAskForComposedAndDecomposedLetters(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        for (number, name) in [(1, decomposed), (2, composed), (3, composed), (4, decomposed)] {
            _ = try await store.append(sampleRecord(number, name: name))
        }
        let makers: [(String) -> Condition] = [
            { .compare(.result("name"), .equal, .text($0)) },
            { .words([$0], lastIsPrefix: false) },
        ]
        for make in makers {
            let condition = Condition.any([
                .all([.compare(.outcome, .equal, .text("completed")), make(composed)]),
                .all([.compare(.outcome, .equal, .text("error")), make(decomposed)]),
            ])
            #expect(try await store.numbers(condition) == [2, 1], "\(condition)")
            let page = try await store.outline(of: ResultQuery(condition), limit: 7, counts: true)
            #expect(page.total?.count == 2, "\(condition)")
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func totalOfAnInboxLeavesOutWhatWasErased(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let erased = try await store.append(
            sampleRecord(61, inbox: "five", vendor: "ailet"))
        let query = ResultQuery(.compare(.inbox, .equal, .text("five")))
        #expect(try await store.outline(of: query, limit: 7, counts: true).total?.count == 13)
        #expect(try await store.erase(erased.id))
        let page = try await store.outline(of: query, limit: 7, counts: true)
        #expect(page.total == ResultTotal(count: 12, isExact: true))
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func resultsOfTheSameMillisecondAreOrderedByNumber(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        for number in 1...10 { _ = try await store.append(sampleRecord(number, at: sampleMoment)) }
        let lines = try await store.all(pageSize: 3)
        #expect(lines.compactMap(\.number) == (1...10).reversed())
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func eachFilterLeavesWhatItAsksFor(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        func moment(_ number: Int64) -> Timestamp {
            Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + number)
        }
        let cases: [(Condition, (Int) -> Bool)] = [
            (.compare(.vendor, .equal, .text("ailet")), { $0 % 2 == 1 }),
            (.compare(.inbox, .equal, .text("five")), { $0 % 5 == 0 }),
            (.compare(.outcome, .equal, .text("completed")), { $0 % 2 == 0 }),
            (.compare(.verdict, .equal, .text("undecodable")), { $0 % 3 == 0 }),
            (.compare(.receivedAt, .greater, .time(moment(40))), { $0 > 40 }),
            (.compare(.receivedAt, .less, .time(moment(4))), { $0 < 4 }),
            (.compare(.seq, .equal, .integer(17)), { $0 == 17 }),
            (.compare(.path, .equal, .text("/9")), { $0 == 9 }),
            (.compare(.result("number"), .less, .number(7)), { $0 < 7 && $0 % 2 == 0 }),
            (.compare(.inbox, .equal, .text("nobody")), { _ in false }),
            (
                .all([
                    .compare(.vendor, .equal, .text("welltory")),
                    .compare(.inbox, .equal, .text("five")),
                    .compare(.verdict, .equal, .text("undecodable")),
                ]), { $0 % 30 == 0 }
            ),
        ]
        for (condition, isMember) in cases {
            let lines = try await store.all(ResultQuery(condition), pageSize: 4)
            #expect(lines.compactMap(\.number) == numbers(where: isMember), "\(condition)")
        }
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aCursorStaysWhereItWasWhileResultsArrive(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let first = try await store.page(of: ResultQuery(), limit: 20)
        for number in 61...80 { _ = try await store.append(sampleRecord(number)) }
        let second = try await store.page(of: ResultQuery(), after: first.next, limit: 40)
        #expect((first.lines + second.lines).compactMap(\.number) == (1...60).reversed())
        #expect(second.next == nil)
        await store.close()
    }

    @Test(arguments: [
        (ResultQuery.Key.receivedAt, FieldValue?.none), (.seq, nil),
        (.result("number"), .number(-0.25)), (.result("number"), .number(5e-300)),
        (.result("name"), .text("")), (.result("name"), .text("é.\0🙂")),
        (.result("flag"), .flag(true)), (.result("flag"), .flag(false)),
    ])
    func aCursorReadsBackAndBelongsToItsQueryOnly(
        key: ResultQuery.Key, value: FieldValue?
    ) throws {
        let query = ResultQuery(by: key)
        let cursor = PageCursor(place: 17, sequence: 42, value: value, of: query)
        let again = try #require(PageCursor(cursor.text))
        #expect(again == cursor)
        #expect(again.belongs(to: query))
        var others = [query, query, query]
        others[0].condition = .compare(.vendor, .equal, .text("ailet"))
        others[1].isDescending = false
        others[2].key = query.key == .seq ? .receivedAt : .seq
        for other in others { #expect(!again.belongs(to: other)) }
    }

    @Test func aCursorOfAValueBelongsOnlyToAnOrderByValues() {
        let cursor = PageCursor(place: 1, sequence: 1, of: ResultQuery(by: .result("number")))
        #expect(!cursor.belongs(to: ResultQuery(by: .result("number"))))
    }

    @Test(arguments: [
        "", "x", "1.2", "1.2.3.4", "..", "1.2.zzzzzzzzzz", "é.1.1", "1.2.3.x", "1.2.3.t0",
        "1.2.3.tzz",
        "1.2.3.b2", "1.2.3.n", "1.2.3.n0.0", "1.2.3.té",
    ])
    func whatIsNoCursorIsRefused(text: String) {
        #expect(PageCursor(text) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func inboxesAreCountedAsTheyFill(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
        let inboxes = try await store.inboxes()
        #expect(inboxes.map(\.name) == ["default", "five"])
        #expect(inboxes.map(\.count) == [48, 12])
        let last = Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds + 60)
        #expect(inboxes.last?.lastReceivedAt == last)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func anUnknownIDHasNoLine(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await filledStore(folder, kind)
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
