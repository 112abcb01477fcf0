// Callbacks that carry no flow, and the launches that they answer.

import AppLinks
import Testing
import Vendors

@testable import landfall

@Suite struct OpenFlowsTests {
    private static func launch(
        _ flow: String, _ contract: Contract = .ailetDeeplink, keys: [String: String] = [:],
        callback: String? = nil, inbox: String = "default"
    ) -> OpenFlows.Launch {
        OpenFlows.Launch(
            flow: flow, contract: contract, inbox: inbox, keys: keys,
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
        flows.add(Self.launch("a", .flux, callback: "https://shop.example/done?order=7"))
        #expect(Self.flow(flows, .dimmy, at: url) == expected)
    }

    @Test(arguments: [
        // The place and the code; one of them; a code that contradicts.
        ("https://a.example/r?status=completed", #"{"item":{"code":"7"}}"#, "a"),
        ("https://a.example/r?status=completed", #"{"item":{"code":"8"}}"#, "b"),
        ("https://a.example/r?status=cancelled", "{}", "b"),
        ("https://forwarded.example/x", #"{"item":{"code":"7"}}"#, "a"),
        ("https://forwarded.example/x", #"{"item":[{"code":"8"},{"code":"7"}]}"#, "b"),
        ("https://a.example/r", #"{"item":{"code":"9"}}"#, nil),
        ("https://forwarded.example/x", #"{"code":"7"}"#, "a"),
        ("https://forwarded.example/x", "{}", nil),
    ])
    func theCodeTellsTheLaunchWhereverTheCallbackCame(
        url: String, value: String, expected: String?
    ) {
        let flows = OpenFlows()
        flows.add(Self.launch("a", .flux, keys: ["code": "7"], callback: "https://a.example/r"))
        flows.add(Self.launch("b", .flux, keys: ["code": "8"], callback: "https://a.example/r"))
        #expect(Self.flow(flows, .dimmy, at: url, value: value) == expected)
    }

    @Test func theFormerLaunchIsOneOfTheSameContractAndInbox() {
        let flows = OpenFlows()
        flows.add(Self.launch("a", .flux))
        flows.add(Self.launch("other contract", .dimmy2024))
        flows.add(Self.launch("other inbox", .flux, inbox: "qa"))
        flows.add(Self.launch("b", .flux))
        #expect(flows.former(than: "b", of: .flux, in: "default") == "a")
        let madeUp = flows.former(than: "other inbox", of: .flux, in: "qa")
        #expect(FlowID.isValid(madeUp.utf8))
    }

    @Test func vendorsAreKeptApart() {
        let flows = OpenFlows()
        flows.add(Self.launch("a", keys: ["visit_id": "v1"]))
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
            {"flow":"f","inbox":"qa","vendor":"ailet","contract":"ailet-deeplink",\#
            "result":{"parameters":{"visit_id":"v1","task_id":"t1"},"callback":"app:"}}
            """#
        let launch = try #require(OpenFlows.launch(in: Array(record.utf8)))
        #expect(launch.flow == "f")
        #expect(launch.contract == .ailetDeeplink && launch.inbox == "qa")
        #expect(launch.keys == ["visit_id": "v1", "task_id": "t1"])
        #expect(launch.callback == nil)
        #expect(OpenFlows.launch(in: Array(#"{"vendor":"ailet","flow":null}"#.utf8)) == nil)
    }
}
