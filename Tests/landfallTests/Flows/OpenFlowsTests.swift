// Callbacks that carry no flow, and the launches that they answer.

import AppLinks
import Testing
import Vendors

@testable import landfall

@Suite struct OpenFlowsTests {
    private static func launch(
        _ flow: String, _ vendor: Vendor = .ailet, keys: [String: String] = [:],
        callback: String? = nil
    ) -> OpenFlows.Launch {
        OpenFlows.Launch(
            flow: flow, vendor: vendor, keys: keys,
            callback: callback.flatMap { OpenFlows.place(of: LinkURL($0)) })
    }

    private static func flow(
        _ flows: OpenFlows, _ vendor: Vendor = .ailet, at url: String = "http://localhost/x",
        value: String = "{}"
    ) -> String? {
        guard let place = OpenFlows.place(of: LinkURL(url)) else { return nil }
        return flows.flow(of: vendor, at: place, value: Array(value.utf8))
    }

    @Test(arguments: [
        (#"{"visit_id":"v1","task_id":"t1"}"#, "a"), (#"{"visit_id":"v1","task_id":"t2"}"#, "b"),
        (#"{"visit_id":"v1"}"#, "b"), (#"{"visit_id":"v2","task_id":"t1"}"#, nil),
        (#"{"status":"IR_ERROR"}"#, nil), ("[]", nil),
    ])
    func theVendorsKeysTellTheLaunchAndTheNewestCounts(value: String, expected: String?) {
        let flows = OpenFlows()
        flows.add(Self.launch("a", keys: ["visit_id": "v1", "task_id": "t1"]))
        flows.add(Self.launch("b", keys: ["visit_id": "v1", "task_id": "t2"]))
        #expect(Self.flow(flows, value: value) == expected)
    }

    @Test(arguments: [
        ("https://shop.example/done?order=7&status=completed", "a"),
        ("http://shop.example/done?order=7", "a"),
        ("https://SHOP.example/done?order=7?status=completed", "a"),
        ("https://shop.example/done?order=71&status=completed", nil),
        ("https://shop.example/done", nil), ("https://shop.example/other?order=7", nil),
        ("https://shop.example.evil.example/done?order=7", nil),
        ("https://shop.example:8443/done?order=7", nil),
    ])
    func theCallbacksOwnURLTellsTheLaunch(url: String, expected: String?) {
        let flows = OpenFlows()
        flows.add(Self.launch("a", .dimmy, callback: "https://shop.example/done?order=7"))
        #expect(Self.flow(flows, .dimmy, at: url) == expected)
    }

    @Test func vendorsAreKeptApart() {
        let flows = OpenFlows()
        flows.add(Self.launch("a", .ailet, keys: ["visit_id": "v1"]))
        #expect(!flows.mayKnow(.dimmy))
        #expect(flows.mayKnow(.ailet))
        #expect(Self.flow(flows, .dimmy, value: #"{"visit_id":"v1"}"#) == nil)
    }

    @Test func theOldestLaunchesAreForgottenFirst() {
        let flows = OpenFlows()
        for number in 0...OpenFlows.most {
            flows.add(Self.launch("\(number)", keys: ["visit_id": "\(number)"]))
        }
        #expect(Self.flow(flows, value: #"{"visit_id":"0"}"#) == nil)
        let last = OpenFlows.most
        #expect(Self.flow(flows, value: #"{"visit_id":"\#(last)"}"#) == "\(last)")
    }

    @Test func aStoredLaunchIsRecalledAndACallbackIsNone() throws {
        let record = #"""
            {"flow":"f","vendor":"ailet","contract":"ailet-deeplink-launch",\#
            "result":{"parameters":{"visit_id":"v1","task_id":"t1"},"callback":"app:"}}
            """#
        let launch = try #require(OpenFlows.launch(in: Array(record.utf8)))
        #expect(launch.flow == "f")
        #expect(launch.keys == ["visit_id": "v1", "task_id": "t1"])
        #expect(launch.callback == nil)
        #expect(OpenFlows.launch(in: Array(#"{"vendor":"ailet","flow":null}"#.utf8)) == nil)
    }
}
