// A forwarder with a store and a file of its own, a target that is a function, and a clock that the
// test sets: nothing here waits.

import Clocks
import Foundation
import HTTP1
import HTTPClient
import JSON
import Logging
import ResultStore
import Sockets
import Synchronization
import Testing
import Vendors

@testable import Emulator
@testable import enum Emulator.Limits
@testable import ResultAPI
@testable import Settings

@Suite final class ForwarderTests: Sendable {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "landfall-test-\(UUID().uuidString)").path()
    let store: ResultStore
    /// Marks and keys that the target has got.
    private let got = Mutex<[(target: String, key: String)]>([])
    private let statuses = Mutex<[Int]>([])
    /// The inbox that is erased before the target answers, and whether the index is lost then.
    private let erased = Mutex<(name: String, losesIndex: Bool)?>(nil)
    private let clock = Mutex<Int64>(Timestamp.now.unixMilliseconds)
    let queues = ForwardQueues()
    private let memory = MemoryBudget(bytes: Limits.forwardSendBytes)
    private let readMemory = MemoryBudget(bytes: Limits.forwardReadBytes)
    private let ownMemory = MemoryBudget(bytes: Limits.forwardSendBytes / 2)
    /// Bytes of it that were taken during each attempt.
    private let taken = Mutex<[Int]>([])

    init() throws {
        store = try ResultStore(folder: folder, catalog: .all)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func forwarder(
        of condition: Condition = .kinds([.callback]), isOrdered: Bool = true, giveUp: Int = 60,
        memoryMilliseconds: UInt64 = 60_000
    ) throws -> Forwarder {
        var target = Configuration.ForwardRule.Target(url: "http://a.example/hook?own=1")
        target.isOrdered = isOrdered
        target.giveUpSeconds = giveUp
        var dependencies = Forwarder.Dependencies(
            store: store, queues: queues, log: Logger(label: "test"))
        dependencies.send = { [self] request in
            let key = request.fields.first { $0.name == "Idempotency-Key" }?.value ?? ""
            got.withLock { $0.append((request.url, key)) }
            taken.withLock { $0.append(memory.used) }
            if let (name, losesIndex) = erased.withLock({ $0.take() }) {
                _ = try await store.erase(inbox: name)
                if losesIndex {
                    try FileManager.default.removeItem(atPath: folder + "/index.sqlite")
                }
            }
            return statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
        }
        dependencies.now = { [self] in clock.withLock { $0 } }
        dependencies.sendMemory = memory
        dependencies.readMemory = readMemory
        dependencies.ownMemory = ownMemory
        dependencies.memoryMilliseconds = memoryMilliseconds
        return try Forwarder(
            "rule", target, condition, path: folder + "/queue.json", mayConnect: nil, dependencies)
    }

    /// Stores a callback with this mark.
    @discardableResult
    func receive(
        _ mark: Int, fields: [(String, String)] = [], body: [UInt8] = Array("body".utf8),
        id: RecordID? = nil, outcome: String? = nil, isRedecoded: Bool = false
    ) async throws -> Receipt {
        let moment = id.map { Timestamp(unixMilliseconds: $0.milliseconds) } ?? .now
        let request = RecordRequest(
            method: "POST", scheme: "http", host: "b.example",
            target: Array("/callbacks/raw?mark=\(mark)&token=[redacted]".utf8), version: "1.1",
            peer: "127.0.0.1:1",
            fields: ([("Authorization", "[redacted]"), ("Host", "b.example")] + fields).lazy.map {
                (name: Array($0.0.utf8)[...], value: Array($0.1.utf8)[...])
            },
            body: RecordRequest.Body(body), masked: nil)
        return try await store.append(
            NewRecord(
                id: id, receivedAt: moment, redecodedAt: isRedecoded ? .now : nil, inbox: "in",
                vendor: "raw", contract: nil, outcome: outcome, verdict: "unmatched",
                request: request, result: nil))
    }

    /// Attempts everything that is due.
    func drain(_ forwarder: Forwarder) async {
        while let entry = forwarder.take() { await forwarder.attempt(entry) }
    }

    var marks: [Int] {
        got.withLock { got in
            got.compactMap { entry in
                entry.target.firstRange(of: "mark=").flatMap {
                    Int(entry.target[$0.upperBound...].prefix { $0.isNumber })
                }
            }
        }
    }

    private func deliveries() async throws -> [JSONNode] {
        let page = try await store.page(
            of: ResultQuery(.kinds([.delivery]), by: .seq, isDescending: false), limit: 100)
        return try page.lines.map { try JSONDocument(parsing: $0.text).root }
    }

    @Test func itBeginsAtTheEndOfTheJournalAndSendsWhatComes() async throws {
        try await receive(1)
        let forwarder = try forwarder()
        let receipt = try await receive(2, fields: [("X-A", "b")])
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [2])
        #expect(got.withLock { $0[0].target } == "http://a.example/hook?own=1&mark=2")
        #expect(got.withLock { $0[0].key } == receipt.id.description)
        #expect(forwarder.queue.pendingCount == 0)
        let attempt = try #require(try await deliveries().first)
        let text = String(decoding: attempt.text, as: UTF8.self)
        #expect(!text.contains("redacted"))
        #expect(attempt["result"]?["rule"]?.string == "rule")
        #expect(attempt["result"]?["result"]?.string == receipt.id.description)
        #expect(attempt["result"]?["outcome"]?.string == "delivered")
        // Erasing the callback doesn't erase its deliveries.
        #expect(attempt["request"]?["body"]?.kind == .null)
        #expect(attempt["request"]?["target"]?.string == "/hook")
        let names = attempt["request"]?["headers"]?.elements.map { $0[0]?.string } ?? []
        #expect(names == ["Host", "Idempotency-Key", "Landfall-Attempt"])
        await store.close()
    }

    @Test func aCrashBetweenSendingAndSavingRepeatsAndLosesNothing() async throws {
        var forwarder = try forwarder()
        for mark in 1...3 { try await receive(mark) }
        await forwarder.read()
        forwarder.save(atOnce: true)
        await forwarder.attempt(try #require(forwarder.take()))
        #expect(marks == [1])
        // The process ends here: neither this success nor anything later was saved.
        forwarder = try self.forwarder()
        #expect(forwarder.queue.pendingCount == 3)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 1, 2, 3])
        let keys = got.withLock { $0.map(\.key) }
        #expect(keys[0] == keys[1] && Set(keys).count == 3)
        forwarder.save(atOnce: true)
        forwarder = try self.forwarder()
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 1, 2, 3], "what was saved is not sent again")
        await store.close()
    }

    @Test func whatIsInFlightAtACrashIsPendingAfterIt() async throws {
        let forwarder = try forwarder(isOrdered: false)
        try await receive(1)
        await forwarder.read()
        _ = try #require(forwarder.take())
        forwarder.save(atOnce: true)
        #expect(try self.forwarder(isOrdered: false).queue.pendingCount == 1)
        await store.close()
    }

    @Test func orderIsKeptThroughFailures() async throws {
        let forwarder = try forwarder()
        for mark in 1...3 { try await receive(mark) }
        statuses.withLock { $0 = [200, 500, 503, 200, 404] }
        await forwarder.read()
        for _ in 1...4 {
            await drain(forwarder)
            clock.withLock { $0 += 2000 }
        }
        #expect(marks == [1, 2, 2, 2, 3, 3])
        let outcomes = try await deliveries().map { $0["result"]?["outcome"]?.string }
        #expect(outcomes == ["delivered", "failed", "failed", "delivered", "failed", "delivered"])
        #expect(try await deliveries().map { $0["result"]?["attempt"]?.int } == [1, 1, 2, 3, 1, 2])
        #expect(forwarder.attempts == [.delivered: 3, .failed: 3])
        await store.close()
    }

    @Test func aDeadLetterIsKeptAndTriedAgainWhenAsked() async throws {
        var forwarder = try forwarder(giveUp: 0)
        let receipt = try await receive(1)
        statuses.withLock { $0 = [400] }
        await forwarder.read()
        await drain(forwarder)
        #expect(forwarder.queue.dead.map(\.id) == [receipt.id])
        forwarder.save(atOnce: true)
        forwarder = try self.forwarder(giveUp: 0)
        #expect(forwarder.queue.dead.map(\.status) == [400])
        #expect(forwarder.retryDead(nil) == 1)
        await drain(forwarder)
        #expect(marks == [1, 1])
        #expect(forwarder.queue.dead.isEmpty && forwarder.queue.pendingCount == 0)
        await store.close()
    }

    @Test func aDeadLetterWhoseCallbackWasErasedIsDropped() async throws {
        let forwarder = try forwarder(giveUp: 0)
        let first = try await receive(1)
        let second = try await receive(2)
        statuses.withLock { $0 = [400, 400] }
        await forwarder.read()
        await drain(forwarder)
        #expect(forwarder.queue.dead.map(\.id) == [first.id, second.id])
        _ = try await store.erase(first.id)
        await forwarder.dropErasedDead()
        #expect(forwarder.queue.dead.map(\.id) == [second.id])
        #expect(forwarder.dropped == 1)
        await store.close()
    }

    @Test func whatIsErasedAfterItWasReadIsNotSent() async throws {
        let forwarder = try forwarder()
        try await receive(1)
        let second = try await receive(2)
        try await receive(3)
        await forwarder.read()
        _ = try await store.erase(second.id)
        await drain(forwarder)
        #expect(marks == [1, 3])
        #expect(forwarder.queue.pendingCount == 0)
        #expect(forwarder.dropped == 1)
        await store.close()
    }

    @Test func whatWasErasedOrForwardedBeforeIsDropped() async throws {
        let forwarder = try forwarder()
        let first = try await receive(1)
        try await receive(2, fields: [("landfall-attempt", "1")])
        try await receive(3)
        statuses.withLock { $0 = [500] }
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1])
        _ = try await store.erase(first.id)
        clock.withLock { $0 += 5000 }
        await drain(forwarder)
        #expect(marks == [1, 3])
        #expect(forwarder.queue.pendingCount == 0)
        // Only the first was to be delivered.
        #expect(forwarder.dropped == 1)
        await store.close()
    }

    @Test(arguments: [false, true])
    func anInboxThatIsErasedDuringAnAttemptIsInNoRecordOfIt(losesIndex: Bool) async throws {
        let forwarder = try forwarder()
        try await receive(1)
        await forwarder.read()
        erased.withLock { $0 = ("in", losesIndex) }
        await drain(forwarder)
        #expect(marks == [1])
        #expect(try await store.inboxes().isEmpty)
        // Attempts to send later callbacks of that inbox are kept.
        try await receive(2)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2])
        #expect(try await deliveries().count == 1)
        await store.close()
    }

    @Test func aLargeCallbackTakesMemoryThatAllTargetsShare() async throws {
        let forwarder = try forwarder()
        try await receive(1)
        try await receive(2, body: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2])
        #expect(taken.withLock { $0 } == [0, 200_000])
        #expect(memory.used == 0 && ownMemory.used == 0)
        await store.close()
    }

    /// Of its own share, or of what all targets share.
    @Test(arguments: [true, false])
    func aLargeCallbackThatGetsNoMemoryStaysPending(isOwn: Bool) async throws {
        let forwarder = try forwarder(memoryMilliseconds: 1)
        try await receive(1, body: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
        await forwarder.read()
        let others = await (isOwn ? ownMemory : memory).permit(for: Limits.forwardSendBytes)
        let entry = try #require(forwarder.take())
        await forwarder.attempt(entry)
        #expect(marks == [] && forwarder.take() == nil)
        clock.withLock { $0 += Limits.forwardPauseMilliseconds }
        #expect(forwarder.take()?.id == entry.id)
        withExtendedLifetime(others) {}
        await store.close()
    }

    @Test func aPageOfLargeCallbacksWaitsForMemory() async throws {
        let forwarder = try forwarder()
        try await receive(1, body: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
        var others = await readMemory.permit(for: Limits.forwardReadBytes)
        #expect(others != nil)
        async let page: Void = forwarder.read()
        try await Task.sleep(for: .milliseconds(50))
        #expect(forwarder.queue.pendingCount == 0)
        others = nil
        await page
        #expect(forwarder.queue.pendingCount == 1)
        await store.close()
    }

    @Test func aLargeCallbackWaitsForMemory() async throws {
        let forwarder = try forwarder()
        try await receive(1, body: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
        await forwarder.read()
        var others = await memory.permit(for: Limits.forwardSendBytes)
        #expect(others != nil)
        let entry = try #require(forwarder.take())
        async let attempt: Void = forwarder.attempt(entry)
        try await Task.sleep(for: .milliseconds(50))
        #expect(marks == [])
        others = nil
        await attempt
        #expect(marks == [1])
        await store.close()
    }

    @Test func manyPagesAreReadOneAfterTheOther() async throws {
        let forwarder = try forwarder(isOrdered: false)
        let count = Limits.forwardPage.records + 10
        for mark in 1...count { try await receive(mark) }
        await forwarder.read()
        #expect(forwarder.queue.pendingCount == Limits.forwardPage.records)
        await forwarder.read()
        #expect(forwarder.queue.pendingCount == count)
        await store.close()
    }

    @Test func howLongACallbackWasTriedIsSavedAndOldFilesHaveNone() async throws {
        let forwarder = try forwarder(isOrdered: false)
        let receipt = try await receive(1)
        statuses.withLock { $0 = [500] }
        await forwarder.read()
        await drain(forwarder)
        let tried = try #require(forwarder.queue.pending.first).tried
        #expect(250...500 ~= tried)
        forwarder.save(atOnce: true)
        #expect(try self.forwarder(isOrdered: false).queue.pending.map(\.tried) == [tried])
        let old = """
            {"through":1,"settled":1,"pending":[[1,"\(receipt.id)",5,6,2,500]],"dead":[]}
            """
        try Data(old.utf8).write(to: URL(filePath: folder + "/queue.json"))
        let entry = try #require(self.forwarder(isOrdered: false).queue.pending.first)
        #expect(entry.tried == 0 && entry.attempts == 2 && entry.since == 5)
        await store.close()
    }

    @Test func aQueueOfAStoreThatWasRestoredGoesOnAfterTheLastRecord() async throws {
        var ids: [RecordID] = []
        for mark in 1...2 { ids.append(try await receive(mark).id) }
        let lost = RecordID(at: .now)
        let file = """
            {"through":1000,"settled":1000,
            "pending":[[1,"\(ids[0])",5,6,2,500],[900,"\(lost)",5,6,0,0]],
            "dead":[[2,"\(ids[1])",5,6,9,500],[901,"\(lost)",5,6,9,500]]}
            """
        try Data(file.utf8).write(to: URL(filePath: folder + "/queue.json"))
        let forwarder = try forwarder()
        #expect(forwarder.queue.through == 2 && forwarder.queue.settled == 2)
        #expect(forwarder.queue.dead.map(\.id) == [ids[1]])
        try await receive(3)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 3])
        #expect(forwarder.queue.pendingCount == 0)
        #expect(forwarder.retryDead(nil) == 1)
        await drain(forwarder)
        #expect(marks == [1, 3, 2])
        await store.close()
    }

    @Test func aDatabaseThatLostTheLastRecordsHasTheirNumbersReadAgain() async throws {
        let forwarder = try forwarder()
        var last = 0
        for mark in 1...3 {
            if mark == 2 { last = try #require(store.lastSequence) }
            try await receive(mark)
        }
        await forwarder.read()
        await drain(forwarder)
        forwarder.noteNews(after: last, goingBackTo: nil)
        #expect(forwarder.queue.through > last)
        // What has these numbers now can't be told from what had them.
        forwarder.noteNews(after: last, goingBackTo: last)
        #expect(forwarder.queue.through == last && forwarder.queue.settled == last)
        clock.withLock { $0 += 1000 }
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2, 3, 2, 3])
        await store.close()
    }

    @Test func aHostOfOneTargetIsNotAllowedToTheNameOfAnother() async throws {
        var configuration = Configuration()
        configuration.dataFolder = folder
        configuration.forward = [
            .init(name: "a", targets: [.init(url: "http://127.0.0.1:1/")]),
            .init(name: "b", targets: [.init(url: "http://b.example/")]),
        ]
        let policies = Mutex<[String: AddressPolicy]>([:])
        var dependencies = Forwarder.Dependencies(store: store, log: Logger(label: "test"))
        dependencies.send = { request in
            policies.withLock { $0[request.url] = request.mayConnect }
            return 200
        }
        let forwarding = try Forwarding(
            configuration, isLocal: false, descriptors: 100, dependencies)
        try await receive(1)
        for forwarder in forwarding.forwarders {
            await forwarder.read()
            await drain(forwarder)
        }
        let machine = IPAddress(v4: 0x7F00_0001)
        let allowed = policies.withLock { $0.mapValues { mayConnect in mayConnect(machine) } }
        #expect(allowed == ["http://127.0.0.1:1/?mark=1": true, "http://b.example/?mark=1": false])
        await store.close()
    }

    @Test(arguments: [false, true])
    func aSecretInTheQueryOfATargetChangesAndNothingIsLost(isFileOld: Bool) async throws {
        var configuration = Configuration()
        configuration.dataFolder = folder
        func forwarder(key: Int) throws -> Forwarder {
            let target = Configuration.ForwardRule.Target(url: "http://a.example/hook?key=\(key)")
            configuration.forward = [.init(name: "a", targets: [target])]
            let dependencies = Forwarder.Dependencies(store: store, log: Logger(label: "test"))
            try Forwarding.check(configuration)
            let forwarding = try Forwarding(
                configuration, isLocal: false, descriptors: 100, dependencies)
            return try #require(forwarding.forwarders.first)
        }
        let first = try forwarder(key: 1)
        let receipt = try await receive(1)
        await first.read()
        first.save(atOnce: true)
        if isFileOld {
            let rule = configuration.forward[0]
            let (path, former) = Forwarding.paths(of: rule.targets[0], rule, configuration)
            try FileManager.default.moveItem(atPath: path, toPath: former)
            #expect(try forwarder(key: 1).queue.pending.map(\.id) == [receipt.id])
        }
        #expect(try forwarder(key: 2).queue.pending.map(\.id) == [receipt.id])
        await store.close()
    }

    @Test func aFileThatHoldsNoQueueIsAnError() async throws {
        _ = try forwarder()
        try Data("{}".utf8).write(to: URL(filePath: folder + "/queue.json"))
        #expect(throws: ConfigurationError.self) { _ = try self.forwarder() }
        await store.close()
    }

    @Test(arguments: [true, false])
    func aQueueOfThisProcessGoesOnWithoutItsFile(isMissing: Bool) async throws {
        var forwarder = try forwarder(isOrdered: false)
        for mark in 1...2 { try await receive(mark) }
        await forwarder.read()
        // In flight when the forwarder stops.
        _ = try #require(forwarder.take())
        await withTaskGroup(of: Void.self) { [forwarder] group in
            group.addTask { await forwarder.run() }
            group.cancelAll()
        }
        let file = URL(filePath: folder + "/queue.json")
        if isMissing {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data("{}".utf8).write(to: file)
        }
        forwarder = try self.forwarder(isOrdered: false)
        await forwarder.read()
        await drain(forwarder)
        // One that was being sent when the forwarder stopped is sent again.
        #expect(Set(marks) == [1, 2])
        // The file is written again.
        forwarder.save(atOnce: true)
        queues[folder + "/queue.json"] = nil
        #expect(try self.forwarder(isOrdered: false).queue.pendingCount == 0)
        await store.close()
    }
}
