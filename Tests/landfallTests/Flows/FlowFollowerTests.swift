// Open flows that can't be restored when a server starts, because its store can't be read yet.

import Clocks
import Foundation
import JSON
import Logging
import ResultStore
import Testing
import Vendors

@testable import ResultAPI

@Suite struct FlowFollowerTests {
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A launch of the flow `f`.
    private func launch() throws -> NewRecord {
        let value = #"{"parameters":{"visit_id":"v1"},"callback":"app:"}"#
        return NewRecord(
            kind: .launch, receivedAt: .now, inbox: "qa", vendor: "ailet",
            contract: "ailet-deeplink", outcome: nil, verdict: "decoded", flow: "f",
            request: RecordRequest(
                method: "POST", scheme: nil, host: "", target: [], version: "1.1", peer: "",
                fields: [], body: nil),
            result: try JSONDocument(parsing: Array(value.utf8)))
    }

    private static func newFolder() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "landfall-test-\(UUID().uuidString)").path()
    }

    private func storeWithLaunch(in folder: String) async throws -> ResultStore {
        let store = try ResultStore(folder: folder, catalog: .all)
        _ = try await store.append(launch())
        return store
    }

    @Test func flowsAreRestoredOnceTheIndexIsRebuilt() async throws {
        let folder = Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await storeWithLaunch(in: folder)
        _ = try await store.page(of: ResultQuery(), limit: 1)
        let flows = OpenFlows(patience: .seconds(60))
        // What is indexed next finds that the file is gone, and a query waits for that.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix("index.sqlite") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        _ = try await store.append(launch())
        let follower = try #require(await flows.restore(from: store, isShared: false, log))
        #expect(flows.inbox(of: "f") == nil)
        for _ in 0..<1000 where store.status.rebuilding != nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        await follower.catchUp()
        #expect(flows.inbox(of: "f") == "qa")
        let whole = OpenFlows(patience: .seconds(60))
        #expect(await whole.restore(from: store, isShared: false, log) == nil)
        #expect(whole.inbox(of: "f") == "qa")
        await store.close()
    }

    @Test func flowsAreOnlyReplacedByWhatWasReadAndThoseThatWaitForTheDatabaseStay() async throws {
        let folder = Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await storeWithLaunch(in: folder)
        let flows = OpenFlows(patience: .seconds(60))
        func open(_ flow: String) {
            flows.add(
                OpenFlows.Launch(
                    flow: flow, contract: .ailetDeeplink, inbox: "qa", keys: [:], callback: nil),
                at: .now)
        }
        func known() -> [String] {
            ["f", "lost", "spooled"].filter { flows.inbox(of: $0) != nil }
        }
        open("lost")
        open("spooled")
        flows.noteSpooled(Receipt(id: RecordID(at: .now), sequence: 0), of: "spooled")
        try await flows.restore(from: store)
        #expect(known() == ["f", "lost", "spooled"])
        try await flows.restore(from: store, replacing: true)
        #expect(known() == ["f", "spooled"])
        open("lost")
        for flow in ["lost", "spooled"] { try await flows.readAgain(flow, from: store) }
        #expect(known() == ["f", "spooled"])
        open("lost")
        await store.close()
        await #expect(throws: StoreError.self) {
            try await flows.restore(from: store, replacing: true)
        }
        await #expect(throws: StoreError.self) { try await flows.readAgain("f", from: store) }
        #expect(known() == ["f", "lost", "spooled"])
    }

    @Test func theEndOfAFlowIsLookedUpIfItMayBeOlderThanThePatience() async throws {
        let folder = Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try ResultStore(folder: folder, catalog: .all)
        let hourAgo = Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - 3_600_000)
        func callback(_ body: String) -> RecordRequest {
            RecordRequest(
                method: "POST", scheme: "http", host: "localhost", target: Array("/x".utf8),
                version: "1.1", peer: "", fields: [], body: .init(Array(body.utf8)))
        }
        var opened = try launch()
        opened.receivedAt = hourAgo
        _ = try await store.append(opened)
        _ = try await store.append(
            NewRecord(
                kind: .callback, receivedAt: hourAgo, inbox: "qa", vendor: "ailet",
                contract: "ailet-deeplink", outcome: "completed", verdict: "decoded", flow: "f",
                request: callback("1"), result: nil))
        let flows = OpenFlows(patience: .seconds(60))
        try await flows.restore(from: store)
        func take(_ body: String) -> FlowMembership {
            flows.take(
                OpenFlows.Arrival(
                    vendor: .ailet, inbox: "qa", flow: "f", request: callback(body)),
                at: .now)
        }
        #expect(flows.mayHaveEnded("f", at: .now))
        #expect(!flows.mayHaveEnded("f", at: hourAgo) && !flows.mayHaveEnded("g", at: .now))
        await flows.restore("f", from: store)
        #expect(!flows.mayHaveEnded("f", at: .now))
        #expect(take("1") == .of("f"))
        #expect(take("2") == .ended("f"))
        await store.close()
    }

    @Test func flowsOfAStoreThatCannotBeReadAreLeftForLater() async throws {
        let folder = Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await storeWithLaunch(in: folder)
        await store.close()
        let flows = OpenFlows(patience: .seconds(60))
        let follower = try #require(await flows.restore(from: store, isShared: false, log))
        await follower.catchUp()
        #expect(flows.inbox(of: "f") == nil)
    }

    @Test func flowsThatWereNotReadForLongAreRestored() async throws {
        let folder = Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try ResultStore(folder: folder, catalog: .all)
        let flows = OpenFlows(patience: .seconds(60))
        let follower = try #require(await flows.restore(from: store, isShared: true, log))
        // As another server would. Files have no news, as a database that has forgotten them.
        _ = try await store.append(launch())
        await follower.catchUp()
        #expect(flows.inbox(of: "f") == nil)
        let late = Clock.bootMilliseconds + FlowFollower.newsMilliseconds + 1000
        await follower.catchUp(at: late)
        #expect(flows.inbox(of: "f") == "qa")
        // Restoring takes long, so it is left out if nothing has been stored since: it would drop
        // this flow.
        flows.add(
            OpenFlows.Launch(
                flow: "g", contract: .ailetDeeplink, inbox: "qa", keys: [:], callback: nil),
            at: .now)
        await follower.catchUp(at: late + FlowFollower.newsMilliseconds + 1000)
        #expect(flows.inbox(of: "g") == "qa")
        await store.close()
    }
}
