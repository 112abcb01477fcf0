// Deliveries on a clock of their own: nothing here waits.

import Foundation
import HTTPClient
import JSON
import Logging
import ResultStore
import Synchronization
import Testing
import Vendors

@testable import Emulator
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Server
@testable import Settings
@testable import Text

@Suite struct DeliveriesTests {
    /// What a delivery did: how long it waited, and what came of each attempt.
    private struct Course: Sendable {
        var waits: [Duration] = []
        var attempts: [DeliveryAttempt] = []
    }

    private static let launch = Receipt(id: RecordID(at: .now), sequence: 1)

    private static let webhook = Delivery(
        flow: "f", inbox: "default", contract: .fluxWebhook, after: .zero, method: .post,
        url: "http://127.0.0.1:1/hook?token=abc", body: Array(#"{"a":1}"#.utf8),
        fields: { _ in [("Content-Type", "application/json"), ("Authorization", "secret")] },
        retries: Delivery.webhookRetries)

    /// Delivers to a receiver that answers so, one status an attempt; nil doesn't answer.
    private static func course(
        of delivery: Delivery, answering statuses: [Int?]
    ) async -> Course {
        let course = Mutex(Course())
        let left = Mutex(statuses)
        let clock = Mutex(ContinuousClock.now)
        struct Unreachable: Error {}
        let deliveries = Deliveries(
            send: { _ in
                let status = left.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
                guard let status else { throw Unreachable() }
                return status
            },
            now: { clock.withLock { $0 } },
            onAttempt: { attempt in course.withLock { $0.attempts.append(attempt) } })
        #expect(deliveries.reserve([delivery]))
        deliveries.add([delivery], of: launch)
        while let due = deliveries.nextDue {
            let wait = clock.withLock { now in
                defer { now = due }
                return due - now
            }
            course.withLock { $0.waits.append(wait) }
            guard let entry = deliveries.takeDue() else { break }
            await deliveries.attempt(entry)
        }
        return course.withLock { $0 }
    }

    @Test func theScheduleIsThatOfTheVendor() async {
        let never = [Int?](repeating: 500, count: 20)
        let course = await Self.course(of: Self.webhook, answering: never)
        // Vendor document 1.4: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
        #expect(
            course.waits == [
                .zero, .seconds(5), .seconds(300), .seconds(1800), .seconds(7200),
                .seconds(18_000), .seconds(36_000), .seconds(36_000),
            ])
        #expect(course.attempts.map(\.number) == Array(1...8))
        #expect(course.attempts.last?.next == nil)
    }

    @Test(arguments: [200, 201, 204, 299])
    func anySuccessEndsIt(status: Int) async {
        let course = await Self.course(of: Self.webhook, answering: [503, nil, status, 500])
        #expect(course.attempts.map(\.status) == [503, nil, status])
        #expect(course.attempts.map(\.isDelivered) == [false, false, true])
        #expect(course.attempts.map { $0.next != nil } == [true, true, false])
    }

    @Test(arguments: [100, 199, 300, 302, 404])
    func everythingElseIsTriedAgain(status: Int) async {
        let course = await Self.course(of: Self.webhook, answering: [status])
        #expect(course.attempts.count == 2)
    }

    @Test func whatHasNoScheduleIsTriedOnce() async {
        var delivery = Self.webhook
        delivery.retries = []
        let course = await Self.course(of: delivery, answering: [500, 500])
        #expect(course.attempts.count == 1)
    }

    @Test func anAttemptIsARecordOfItsFlowWithoutCredentials() async throws {
        let course = await Self.course(of: Self.webhook, answering: [503])
        let record = try #require(course.attempts.first).record(masking: nil)
        #expect(record.flow == "f")
        #expect(record.kind == .delivery && record.contract == "flux-webhook")
        #expect(record.vendor == "dimmy")
        let text = String(decoding: record.request.json, as: UTF8.self)
        #expect(!text.contains("secret"))
        let request = try JSONDocument(parsing: record.request.json).root
        #expect(request["method"]?.string == "POST")
        #expect(request["host"]?.string == "127.0.0.1:1")
        #expect(request["target"]?.string == "/hook?token=abc")
        #expect(request["body"]?["data"]?.string == #"{"a":1}"#)
        let result = try #require(record.result).root
        #expect(result["attempt"]?.int == 1)
        #expect(result["status"]?.int == 503)
        #expect(result["next_attempt_ms"]?.int == 5000)
    }

    @Test func aQueryThatMayBeSecretIsInNoRecord() async throws {
        var delivery = Self.webhook
        delivery.hidesQuery = true
        let attempt = try #require(
            await Self.course(of: delivery, answering: [503]).attempts.first)
        let request = try JSONDocument(parsing: attempt.record(masking: nil).request.json).root
        #expect(request["target"]?.string == "/hook")
        #expect(request["body"]?["data"]?.string == #"{"a":1}"#)
    }

    @Test func anAttemptIsMaskedAsCallbacksAre() async throws {
        let delivery = Delivery(
            flow: "f", inbox: "default", contract: .welltoryDDS, after: .zero, method: .post,
            url: "http://127.0.0.1:1/hook?stress=0.123454321",
            body: Array(#"{"energy":0.123454321}"#.utf8))
        let attempt = try #require(
            await Self.course(of: delivery, answering: [503]).attempts.first)
        let record = attempt.record(masking: PrivacyKey(text: "a key of no use").pseudonyms)
        let text = String(decoding: record.request.json, as: UTF8.self)
        #expect(!text.contains("123454321"))
        #expect(try JSONDocument(parsing: record.request.json).root["masked"]?.string == "values")
    }

    @Test func nothingIsSentForALaunchThatWasErasedWhileADeliveryIsUnderWay() async {
        let sent = Mutex(0)
        let erased = Mutex(false)
        let deliveries = Deliveries(
            send: { _ in
                sent.withLock { $0 += 1 }
                erased.withLock { $0 = true }
                return 500
            },
            isErased: { launch in launch.id == Self.launch.id && erased.withLock { $0 } },
            onAttempt: { _ in })
        var delivery = Self.webhook
        delivery.retries = [.zero, .zero]
        #expect(deliveries.reserve([delivery]))
        deliveries.add([delivery], of: Self.launch)
        while let entry = deliveries.takeDue() { await deliveries.attempt(entry) }
        #expect(sent.withLock { $0 } == 1)
        #expect(deliveries.nextDue == nil)
    }

    @Test func anErasedInboxDoesNotComeBackWithARetry() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "landfall-test-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try ResultStore(folder: folder, catalog: .all)
        let emulator = Emulator(
            Configuration(), isLocal: true, siteHosts: [String](), store: store, masking: nil,
            log: Logger(label: "test"))
        let request = RecordRequest(
            method: "GET", scheme: "http", host: "b.example", target: Array("/".utf8),
            version: "1.1", peer: "127.0.0.1:1", fields: [], body: nil, masked: nil)
        let launch = try await store.append(
            NewRecord(
                kind: .launch, receivedAt: .now, inbox: "patient", vendor: "raw", contract: nil,
                outcome: nil, verdict: "unmatched", request: request, result: nil))
        // Nothing listens there.
        let delivery = Delivery(
            flow: nil, inbox: "patient", contract: nil, after: .zero, method: .get,
            url: "http://127.0.0.1:1/", retries: [.zero, .zero])
        #expect(emulator.reserve([delivery]))
        emulator.deliveries.add([delivery], of: launch)
        await emulator.deliveries.attempt(try #require(emulator.deliveries.takeDue()))
        #expect(try await store.inboxes().map(\.name) == ["patient"])
        _ = try await store.erase(inbox: "patient")
        await emulator.deliveries.attempt(try #require(emulator.deliveries.takeDue()))
        #expect(emulator.deliveries.nextDue == nil)
        #expect(try await store.inboxes().isEmpty)
        await store.close()
    }

    @Test func noMoreThanTheLimitAreSentAtTheSameTimeAndTheRestFollows() async throws {
        let sending = Mutex((now: 0, most: 0))
        let count = 3 * DeliveryQueue.inFlight
        let (attempts, attempt) = AsyncStream.makeStream(of: Int.self)
        let deliveries = Deliveries(
            send: { _ in
                sending.withLock { sending in
                    sending.now += 1
                    sending.most = max(sending.most, sending.now)
                }
                try await Task.sleep(for: .milliseconds(5))
                sending.withLock { $0.now -= 1 }
                return 200
            },
            onAttempt: { attempt.yield($0.number) })
        let all = [Delivery](repeating: Self.webhook, count: count)
        #expect(deliveries.reserve(all))
        deliveries.add(all, of: Self.launch)
        let running = Task { try await deliveries.run() }
        var seen = 0
        for await _ in attempts {
            seen += 1
            if seen == count { break }
        }
        running.cancel()
        try await running.value
        #expect(sending.withLock { $0.most } <= DeliveryQueue.inFlight)
    }

    @Test func whatIsBeingSentEndsWithTheServerAndIsNoFailure() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let attempts = Mutex(0)
        let deliveries = Deliveries(
            send: { _ in
                start.yield()
                try await Task.sleep(for: .seconds(600))
                return 200
            },
            onAttempt: { _ in attempts.withLock { $0 += 1 } })
        let both = [Self.webhook, Self.webhook]
        #expect(deliveries.reserve(both))
        deliveries.add(both, of: Self.launch)
        let running = Task { try await deliveries.run() }
        for await _ in started { break }
        running.cancel()
        try await running.value
        #expect(attempts.withLock { $0 } == 0)
    }
}
