// Waiting for results: none is missed, none comes twice, and memory stays bounded.

import Testing

@testable import ResultStore

@Suite struct FeedTests {
    @Test(arguments: StoreKind.allCases)
    func whatTheIndexKnowsAndWhatFollowsHaveNoGapAndNoRepetition(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let condition = Condition.compare(.outcome, .equal, .text("completed"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        _ = try await store.append(sampleRecord(writer * 100 + number))
                    }
                }
            }
            for _ in 0..<6 {
                group.addTask {
                    let subscription = store.subscribe(to: condition, .all(keeping: 1000))
                    defer { store.unsubscribe(subscription) }
                    let start = subscription.startSequence
                    let known = Condition.all([
                        condition, .compare(.seq, .lessOrEqual, .integer(start)),
                    ])
                    var found = try await store.all(
                        ResultQuery(known, by: .seq, isDescending: false), pageSize: 30
                    ).map(\.sequence)
                    while found.count < 200 {
                        await subscription.wait()
                        let arrival = subscription.take()
                        #expect(arrival.gap == nil)
                        for record in arrival.records {
                            #expect(record.line.sequence == record.facts.sequence)
                            #expect(record.line.root?["seq"]?.int == record.facts.sequence)
                        }
                        found += arrival.records.map(\.facts.sequence)
                    }
                    let all = try await store.all(
                        ResultQuery(condition, by: .seq, isDescending: false))
                    #expect(found == all.map(\.sequence))
                }
                // They begin one after another, while records come.
                _ = try await store.append(sampleRecord(1))
            }
            try await group.waitForAll()
        }
        await store.close()
    }

    @Test func whatIsNotFetchedInTimeIsToldAsAGap() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let slow = store.subscribe(
            to: .compare(.outcome, .equal, .text("completed")), .all(keeping: 3))
        for number in 1...20 { _ = try await store.append(sampleRecord(number)) }
        while slow.seenRecords < 20 { await Task.yield() }
        let arrival = slow.take()
        #expect(arrival.gap == 2...14)
        #expect(arrival.records.map(\.facts.sequence) == [16, 18, 20])
        #expect(slow.seenRecords == 20 && slow.matchCount == 0)
        #expect(slow.take().gap == nil)
        await store.close()
    }

    /// A record as the feed tells it.
    private func record(_ sequence: Int, outcome: String?, bytes: Int = 10) -> FeedRecord {
        let facts = RecordFacts(
            sequence: sequence, id: RecordID(high: 0, low: UInt64(sequence)),
            receivedAt: sampleMoment, inbox: "default", vendor: "welltory", contract: nil,
            outcome: outcome, verdict: "decoded", flow: nil, method: "GET", host: "", path: "",
            fields: FieldValues([]), words: "")
        return FeedRecord(
            facts: facts, line: StoredLine([UInt8](repeating: 0x20, count: bytes), sequence),
            isDecodedAgain: false)
    }

    private func batch(_ records: [FeedRecord], _ erasures: [Erasure] = []) -> FeedBatch {
        FeedBatch(records: records, erasures: erasures)
    }

    private func take(
        _ subscription: Subscription, _ batch: FeedBatch,
        keeping bytes: Int = Limits.subscriptionBytes
    ) {
        let inboxes = Dictionary(grouping: batch.records, by: \.facts.inbox)
        subscription.take(batch, of: inboxes, keeping: bytes)
    }

    private func subscription(_ purpose: Subscription.Purpose) -> Subscription {
        let condition = Condition.compare(.outcome, .equal, .text("completed"))
        let matcher = Matcher(
            condition,
            catalog: FieldCatalog(
                fields: [], words: [], vendors: [], contracts: [], outcomes: [], verdicts: []))
        let subscription = Subscription(matcher, purpose)
        subscription.begin(after: 5)
        return subscription
    }

    @Test func whatWasLookedAtEndsBeforeTheFirstMatchThatIsLeftOut() {
        let first = subscription(.first(2))
        #expect(first.take().through == 5)
        take(first, batch([record(6, outcome: nil)]))
        #expect(first.take().through == 6)
        take(first, batch([7, 9, 10, 11].map { record($0, outcome: "completed") }))
        take(first, batch([record(13, outcome: "completed"), record(14, outcome: nil)]))
        let arrival = first.take()
        #expect(arrival.records.map(\.facts.sequence) == [7, 9])
        #expect(arrival.through == 9 && !arrival.isIncomplete)
    }

    @Test func aWaiterThatLosesARecordAsksTheIndexForThoseThatWereLeftOut() {
        let first = subscription(.first(2))
        take(first, batch([7, 9, 10, 11].map { record($0, outcome: "completed") }))
        let erasure = Erasure(
            scope: .record(RecordID(high: 0, low: 7)), sequence: 12, erasedAt: sampleMoment)
        take(first, batch([], [erasure]))
        #expect(first.resumeAfterMissed() == 12)
        #expect(first.matchCount == 0)
        take(first, batch([record(13, outcome: "completed"), record(14, outcome: nil)]))
        let arrival = first.take()
        #expect(arrival.records.map(\.facts.sequence) == [13])
        #expect(arrival.through == 14 && arrival.isIncomplete)
    }

    @Test func aWaiterWhoseRecordsDontCountAsksTheIndexForThoseThatWereLeftOut() {
        let first = subscription(.first(2))
        take(first, batch([7, 9, 10, 11].map { record($0, outcome: "completed") }))
        take(first, batch([record(12, outcome: nil)]))
        #expect(first.take().through == 9)
        first.reopen()
        #expect(first.resumeAfterMissed() == 12)
        #expect(first.resumeAfterMissed() == nil)
        take(first, batch([record(13, outcome: "completed")]))
        let arrival = first.take()
        #expect(arrival.records.map(\.facts.sequence) == [13])
        #expect(arrival.through == 13 && arrival.isIncomplete)
    }

    @Test func whatAWaiterReadsFromTheIndexArrivedToo() {
        let first = subscription(.first(1))
        take(first, batch([record(6, outcome: nil)]))
        #expect(first.take().isEmpty)
        take(first, batch([record(7, outcome: "completed")]))
        first.reopen()
        #expect(first.resumeAfterMissed() == 7)
        #expect(first.matchCount == 0 && !first.take().isEmpty)
    }

    @Test func ofTheFirstMatchesLargeLinesAreNotKeptButTheirFacts() {
        let first = subscription(.first(4))
        let large = Limits.subscriptionBytes / 2 + 1
        take(first, batch((6...10).map { record($0, outcome: "completed", bytes: large) }))
        #expect(first.matchCount == 4)
        let arrival = first.take()
        #expect(arrival.records.map(\.facts.sequence) == [6])
        #expect(arrival.others.map(\.sequence) == [7, 8, 9])
        #expect(arrival.through == 9)
    }

    @Test func ofManySubscriptionsEachKeepsItsShare() {
        let all = subscription(.all(keeping: 100))
        take(
            all, batch((6...10).map { record($0, outcome: "completed", bytes: 1000) }),
            keeping: 2500)
        let arrival = all.take()
        #expect(arrival.gap == 6...8)
        #expect(arrival.records.map(\.facts.sequence) == [9, 10])
    }

    @Test func aWaiterThatMissedRecordsAsksTheIndexUpToThem() async {
        let first = subscription(.first(2))
        take(first, batch([record(6, outcome: "completed")]))
        first.skip(7...9)
        await first.wait(for: 2)
        #expect(first.resumeAfterMissed() == 9)
        #expect(first.resumeAfterMissed() == nil)
        #expect(first.matchCount == 0)
        take(first, batch([record(10, outcome: "completed")]))
        #expect(first.matchCount == 1)
        let arrival = first.take()
        #expect(arrival.isIncomplete)
        #expect(arrival.through == 10)
        #expect(arrival.records.map(\.facts.sequence) == [10])
    }

    @Test func whatArrivedAfterMissedRecordsIsNotCountedBesideTheIndex() {
        let first = subscription(.first(2))
        first.skip(6...7)
        take(first, batch([record(8, outcome: "completed")]))
        #expect(first.matchCount == 1)
        #expect(first.resumeAfterMissed() == 8)
        #expect(first.matchCount == 0)
        take(first, batch([record(9, outcome: "completed")]))
        #expect(first.matchCount == 1)
    }

    @Test func aRecordThatIsErasedWhileItWaitsTakesNoOthersPlace() {
        let erasure = Erasure(
            scope: .record(RecordID(high: 0, low: 6)), sequence: 8, erasedAt: sampleMoment)
        let first = subscription(.first(2))
        let merged = FeedBatch(merging: [
            batch((6...7).map { record($0, outcome: "completed") }, [erasure]),
            batch([record(9, outcome: "completed")]),
        ])
        take(first, merged)
        #expect(first.take().records.map(\.facts.sequence) == [7, 9])
    }

    @Test func aFollowerThatMissedRecordsGetsAGap() {
        let all = subscription(.all(keeping: 100))
        take(all, batch([record(6, outcome: "completed")]))
        all.skip(7...9)
        take(all, batch([record(10, outcome: "completed")]))
        let arrival = all.take()
        #expect(arrival.gap == 6...9)
        #expect(arrival.records.map(\.facts.sequence) == [10])
    }

    @Test func recordsOfASubscriptionThatBeganLaterAreNotMissed() {
        let all = subscription(.all(keeping: 100))
        all.skip(1...5)
        #expect(all.take().gap == nil)
    }

    @Test func aBatchThatWaitsTooLongKeepsItsErasuresOnly() {
        let erasure = Erasure(
            scope: .strays(through: Erasure.Bound(3)), sequence: 8, erasedAt: sampleMoment)
        var waiting = batch((6...7).map { record($0, outcome: nil) }, [erasure])
        #expect(waiting.bytes == 20)
        #expect(waiting.dropRecords() == 6...7)
        #expect(waiting.dropRecords() == nil)
        #expect(waiting.bytes == 0 && waiting.records.isEmpty && waiting.erasures == [erasure])
    }

    @Test func whatADatabaseGivesNumbersAgainIsDelivered() async {
        let catalog = FieldCatalog(
            fields: [], words: [], vendors: [], contracts: [], outcomes: [], verdicts: [])
        let feed = Feed(catalog: catalog, lastSequence: 5)
        let following = feed.subscribe(to: .everything, .all(keeping: 100))
        let waiting = feed.subscribe(to: .everything, .first(2))
        #expect(feed.advance(to: 8))
        feed.deliver((6...8).map { record($0, outcome: "lost") }, [])
        while waiting.seenRecords < 3 { await Task.yield() }
        feed.retreat(to: 4)
        #expect(feed.lastSequence == 4)
        let later = feed.subscribe(to: .everything, .first(1))
        #expect(later.startSequence == 4)
        #expect(feed.advance(to: 6))
        feed.deliver((5...6).map { record($0, outcome: "kept") }, [])
        while waiting.seenRecords < 5 { await Task.yield() }
        while later.seenRecords < 2 { await Task.yield() }
        for subscription in [following, waiting] {
            let arrival = subscription.take()
            #expect(arrival.records.map(\.facts.sequence) == [5, 6])
            #expect(arrival.records.allSatisfy { $0.facts.outcome == "kept" })
            #expect(arrival.through == 6 && arrival.gap == nil)
        }
        #expect(later.take().records.map(\.facts.sequence) == [5])
        await feed.close()
    }

    @Test func aGapEndsWhereASubscriptionGoesBackTo() {
        let all = subscription(.all(keeping: 100))
        all.skip(7...9)
        all.retreat(to: 8)
        take(all, batch([record(9, outcome: "completed")]))
        let arrival = all.take()
        #expect(arrival.gap == 7...8)
        #expect(arrival.records.map(\.facts.sequence) == [9])
        all.skip(10...12)
        all.retreat(to: 3)
        #expect(all.take().gap == nil)
        #expect(all.startSequence == 3 && all.through == 3)
    }

    @Test(arguments: [1, 3])
    func aFeedThatFallsBehindDropsTheOldestRecordsAndSaysSo(rounds: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let all = store.subscribe(to: .everything, .all(keeping: 1))
        let last = store.subscribe(
            to: .compare(.inbox, .equal, .text("last")), .first(rounds))
        for round in 1...rounds {
            let large = (1...24).map {
                sampleRecord(round * 100 + $0, padding: Limits.feedQueueBytes / 20)
            }
            _ = try await store.append(large)
            _ = try await store.append(sampleRecord(round * 100 + 50, inbox: "last"))
        }
        // Whatever was dropped, a waiter learns of its matches, and a follower of its gap.
        var found = 0
        while found < rounds {
            await last.wait(for: rounds - found)
            if let missed = last.resumeAfterMissed() {
                let query = ResultQuery(
                    .all([
                        .compare(.inbox, .equal, .text("last")),
                        .compare(.seq, .lessOrEqual, .integer(missed)),
                    ]))
                found = try await store.page(of: query, limit: 10).lines.count
            } else {
                found += last.matchCount
                break
            }
        }
        #expect(found == rounds)
        while all.seenRecords == 0 && all.take().gap == nil { await Task.yield() }
        await store.close()
    }

    @Test func linesThatAreTooLargeTogetherAreDropped() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let slow = store.subscribe(to: .everything, .all(keeping: 100))
        for number in 1...4 {
            _ = try await store.append(sampleRecord(number, padding: 1_500_000))
        }
        while slow.seenRecords < 4 { await Task.yield() }
        let arrival = slow.take()
        #expect(arrival.gap == 1...2)
        #expect(arrival.records.map(\.facts.sequence) == [3, 4])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func theFirstRecordsAreKeptForWhomThoseAreEnough(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let subscription = store.subscribe(to: .everything, .first(2))
        for number in 1...5 { _ = try await store.append(sampleRecord(number)) }
        await subscription.wait(for: 2)
        #expect(subscription.take().records.compactMap(\.line.number) == [1, 2])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordThatIsDecodedAgainComesToWhoFollowsAndNotToWhoWaits(
        kind: StoreKind
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        // An instance learns from the database what another one stores.
        let stores = kind == .database ? [store, try kind.open(folder)] : [store]
        let receipt = try await store.append(sampleRecord(1))
        for other in stores { #expect(try await other.sequenceReachedByFeed() == 1) }
        let following = stores.map { $0.subscribe(to: .everything, .all(keeping: 9)) }
        let waiting = stores.map { $0.subscribe(to: .everything, .first(1)) }
        _ = try await store.append(sampleRecord(1).decodedAgain(after: receipt))
        _ = try await store.append(sampleRecord(2))
        for (following, waiting) in zip(following, waiting) {
            await following.wait(for: 2)
            #expect(following.take().records.map(\.facts.sequence) == [2, 3])
            await waiting.wait()
            #expect(waiting.take().records.map(\.facts.sequence) == [3])
            #expect(waiting.seenRecords == 1)
        }
        for store in stores { await store.close() }
    }

    @Test(arguments: ErasedPart.allCases, StoreKind.allCases)
    func erasedRecordsLeaveWhatIsKept(part: ErasedPart, kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let subscription = store.subscribe(to: .everything, .all(keeping: 100))
        let waiting = store.subscribe(to: .compare(.path, .equal, .text("/4")), .first(1))
        _ = try await store.append(sampleRecord(1))
        let receipt = try await store.append(sampleRecord(2, inbox: "private"))
        _ = try await store.append(sampleRecord(3))
        switch part {
        case .record: #expect(try await store.erase(receipt.id))
        case .inbox: #expect(try await store.erase(inbox: "private") == 1)
        }
        _ = try await store.append(sampleRecord(4, inbox: "private"))
        await waiting.wait()
        while subscription.seenRecords < 4 { await Task.yield() }
        #expect(subscription.take().records.compactMap(\.line.number) == [1, 3, 4])
        #expect(!waiting.nearMisses.contains { $0.facts.sequence == receipt.sequence })
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func theNearestMissesAreKeptWithWhatEachFailed(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let condition = Condition.all([
            .compare(.inbox, .equal, .text("wanted")),
            .compare(.outcome, .equal, .text("completed")),
            .compare(.path, .equal, .text("/none")),
        ])
        let subscription = store.subscribe(to: condition, .first(1))
        // Three conditions missed, but for a few.
        for number in 1...31 {
            let inbox = number == 10 || number == 11 ? "wanted" : "other"
            let record = sampleRecord(number == 20 ? 40 : number * 2 + 1, inbox: inbox)
            _ = try await store.append(record)
        }
        while subscription.seenRecords < 31 { await Task.yield() }
        let misses = subscription.nearMisses
        #expect(misses.map(\.facts.sequence) == [20, 11, 10, 31, 30])
        #expect(
            misses.first?.misses == [
                Miss(condition: "inbox:wanted", found: "other"),
                Miss(condition: "path:/none", found: "/40"),
            ])
        #expect(subscription.take().records.isEmpty)
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func waitingEndsWithItsTaskWithAnInterruptionAndWithTheStore(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let subscription = store.subscribe(to: .everything, .first(1))
        let cancelled = Task { await subscription.wait() }
        cancelled.cancel()
        await cancelled.value
        #expect(!subscription.isEnded)

        let unsubscribed = store.subscribe(to: .everything, .first(1))
        let waiting = Task { await unsubscribed.wait() }
        store.unsubscribe(unsubscribed)
        await waiting.value
        #expect(unsubscribed.isEnded)

        let ended = Task { await subscription.wait() }
        await store.close()
        await ended.value
        #expect(subscription.isEnded)

        let late = store.subscribe(to: .everything, .first(1))
        await late.wait()
        #expect(late.isEnded)
    }

    @Test(arguments: StoreKind.allCases)
    func nothingComesToWhoHasUnsubscribed(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let gone = store.subscribe(to: .everything, .all(keeping: 9))
        store.unsubscribe(gone)
        let other = store.subscribe(to: .everything, .all(keeping: 9))
        _ = try await store.append(sampleRecord(1))
        await other.wait()
        #expect(gone.seenRecords == 0 && gone.take().records.isEmpty)
        await store.close()
    }
}
