// A standby is promoted that lacks the last records: their numbers are given again, and followers
// get the new ones.

import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) final class FailoverTests: Sendable {
    /// A database, and a copy of it that takes its place.
    private struct Pair {
        let folder: TemporaryFolder
        let server: TestDatabase
        let name = "failover_\(UUID().uuidString.prefix(8).lowercased())"
        var standby: String { name + "_standby" }
        private let control: Connection

        init() throws {
            folder = try TemporaryFolder()
            server = try TestDatabase.shared.get()
            control = try server.connection(to: folder)
            try control.run("CREATE DATABASE \(name)")
        }

        /// Refuses new connections, and ends those that there are.
        private func close(_ name: String) throws {
            try control.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try control.run(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = $1
                """, [.text(name)])
        }

        /// Makes a standby that gets nothing from now on.
        func copy() throws {
            try close(name)
            try control.run("CREATE DATABASE \(standby) TEMPLATE \(name)")
            try control.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        }

        /// Puts the standby in the place of the database.
        func promote() throws {
            for database in [name, standby] { try close(database) }
            try control.run("ALTER DATABASE \(name) RENAME TO \(name)_lost")
            try control.run("ALTER DATABASE \(standby) RENAME TO \(name)")
            try control.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        }
    }

    /// The numbers to which subscriptions went back.
    private let retreats = Mutex<[Int]>([])

    /// What arrives until a record comes, in order.
    private func arrivals(_ subscription: Subscription, until last: Int) async -> [Int] {
        var numbers: [Int] = []
        while !numbers.contains(last) {
            await subscription.wait()
            let arrival = subscription.take()
            #expect(arrival.gap == nil)
            retreats.withLock { $0 += arrival.retreat.map { [$0] } ?? [] }
            numbers += arrival.records.compactMap(\.line.number)
        }
        return numbers
    }

    /// - Parameter count: how many records another server has stored in the new primary before this
    ///   one finds it: fewer than were lost, as many, or more.
    @Test(arguments: [1, 2, 4])
    func noRecordOfAPromotedStandbyIsLeftOut(count: Int) async throws {
        let pair = try Pair()
        let store = try pair.server.store(pair.folder, database: pair.name)
        let following = store.subscribe(to: .everything, .all(keeping: 100))
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        #expect(await arrivals(following, until: 3) == [1, 2, 3])
        try pair.copy()
        for number in 4...5 { _ = try await store.append(sampleRecord(number)) }
        #expect(await arrivals(following, until: 5) == [4, 5])
        // It begins with what is going to be lost.
        let waiting = store.subscribe(to: .everything, .first(2))
        #expect(waiting.startSequence == 5)

        let other = try pair.server.store(pair.folder, database: pair.standby)
        for number in 11...10 + count { _ = try await other.append(sampleRecord(number)) }
        await other.close()
        try pair.promote()
        #expect(await arrivals(following, until: 10 + count) == Array(11...10 + count))
        #expect(retreats.withLock { $0 } == [3])
        // Who has read the news up to 5 hears that others may have these numbers.
        let news = try #require(try await store.flowNews(after: 5))
        #expect(news.retreats == 1 && news.through == 3 + count)
        for number in 21...22 { _ = try await store.append(sampleRecord(number)) }
        #expect(await arrivals(following, until: 22) == [21, 22])
        await waiting.wait(for: 2)
        let all = Array(11...10 + count) + [21, 22]
        #expect(waiting.take().records.compactMap(\.line.number) == Array(all.prefix(2)))
        #expect(store.lastSequence == 3 + all.count)
        await store.close()
    }

    // MARK: What is remembered

    private func id(_ number: Int, in history: UInt64 = 0) -> RecordID {
        RecordID(high: history, low: UInt64(number))
    }

    private func trail(_ numbers: some Sequence<Int>) -> Trail {
        var trail = Trail()
        for number in numbers { trail.note(number, id(number)) }
        return trail
    }

    @Test func historiesAreOneUpToTheLastRecordThatBothHave() {
        let trail = trail([1, 2, 4, 5, 7])
        let common = Dictionary(uniqueKeysWithValues: [1, 2, 4].map { ($0, id($0)) })
        // Nothing is lost; 5 and 7 were erased.
        #expect(trail.common(with: common, head: 9) == nil)
        #expect(trail.common(with: common, head: 6) == 4)
        #expect(trail.common(with: common, head: 4) == 4)
        // Another record has a number, and one that followed is known again.
        var found = common
        found[5] = id(5, in: 1)
        found[7] = id(7)
        #expect(trail.common(with: found, head: 9) == 4)
        // Nothing is common.
        #expect(trail.common(with: [1: id(1, in: 1)], head: 9) == 0)
        #expect(Trail().common(with: [:], head: 0) == nil)
    }

    @Test func ofManyRecordsTheNewestAreAllRememberedAndOthersHereAndThere() {
        let trail = trail(1...100_000)
        let numbers = trail.sequences
        #expect(numbers.count <= Limits.rememberedSteps)
        #expect(numbers.first == 1)
        #expect(Array(numbers.suffix(200)) == Array(99_801...100_000))
        #expect(numbers == numbers.sorted())
        var late = self.trail([5, 9])
        for number in [7, 3, 9] { late.note(number, id(number, in: 1)) }
        #expect(late.sequences == [3, 5, 7, 9])
        late.retreat(to: 6)
        #expect(late.sequences == [3, 5])
    }
}
