// Launches that are known as their records have them.

import Clocks
import LinkPatterns
import ResultStore
import Testing
import Vendors

@testable import Emulator
@testable import ResultAPI

@Suite struct OpenedLaunchTests {
    private static let request = RecordRequest(
        method: "GET", scheme: "https", host: "www.yourapp.com", target: Array("/".utf8),
        version: "1.1", peer: "", fields: [], body: nil)

    /// Flows that know one launch, `f`, which was opened now, or read from the store.
    private static func flows(
        _ contract: Contract, _ link: String, refusal: CallbackTarget.Refusal? = nil,
        isOverload: Bool = false, isRestored: Bool = false
    ) -> OpenFlows {
        let opened = OpenedLaunch(
            flow: "f", inbox: "default", contract: contract, receivedAt: .now,
            check: LaunchCheck(of: Array(link.utf8), as: contract), refusal: refusal)
        let record = opened.record(request: request, isOverload: isOverload, masking: nil)
        let callback = opened.check.callback?.description
        let flows = OpenFlows(patience: .seconds(60))
        flows.add(
            record, Receipt(id: RecordID(at: .now), sequence: 1),
            callback: isRestored
                ? callback.map {
                    String(decoding: Redaction.redactTarget(Array($0.utf8)), as: UTF8.self)
                }
                : callback)
        return flows
    }

    private static func take(_ flows: OpenFlows, _ vendor: Vendor, at url: String) -> FlowMembership
    {
        flows.take(
            OpenFlows.Arrival(
                vendor: vendor, inbox: "default", place: OpenFlows.place(of: LinkURL(url)),
                request: request), at: .now)
    }

    private static let withToken =
        "/open?flowName=a&callback=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F%3Fa%3D1%26"
        + "session_token%3Dabc%2F123%26b%3D2"

    @Test(arguments: [
        ("?a=1&session_token=abc/123&b=2&status=cancelled", true, true),
        ("?a=1&session_token=another&b=2&status=cancelled", false, true),
        ("?a=1&session_token=abc/123&b=3&status=cancelled", false, false),
        ("?session_token=abc/123&b=2&status=cancelled", false, false),
    ])
    func aCallbackWhoseOwnQueryHoldsACredentialJoinsItsLaunchAlsoAfterARestart(
        query: String, joins: Bool, joinsRestored: Bool
    ) {
        let url = "https://www.yourapp.com/dds/" + query
        let opened = Self.flows(.flux, Self.withToken)
        #expect(Self.take(opened, .dimmy, at: url) == (joins ? .of("f") : .none))
        let restored = Self.flows(.flux, Self.withToken, isRestored: true)
        #expect(Self.take(restored, .dimmy, at: url) == (joinsRestored ? .of("f") : .none))
    }

    private static let callback = "callback=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F"

    @Test(arguments: [
        (Contract.flux, "/open?flowName=a&", FlowMembership.of("f")),
        // Flux comes back with an error, and Dimmy does nothing.
        (.flux, "/open?", .of("f")), (.dimmy2024, "/open?flow=a&", .of("f")),
        (.dimmy2024, "/open?", .none),
    ])
    func aLaunchTakesACallbackIfTheAppComesBack(
        contract: Contract, link: String, expected: FlowMembership
    ) {
        let encoded = "callback=aHR0cHM6Ly93d3cueW91cmFwcC5jb20vZGRzLw%3D%3D"
        let flows = Self.flows(contract, link + (contract == .flux ? Self.callback : encoded))
        let url = "https://www.yourapp.com/dds/?status=error&error=invalid_request"
        #expect(Self.take(flows, .dimmy, at: url) == expected)
    }

    @Test func aLaunchThatTheServerRefusesTakesNoCallback() {
        let url = "https://www.yourapp.com/dds/?status=cancelled"
        let link = "/open?flowName=a&" + Self.callback
        let refusal = CallbackTarget.Refusal(rule: "host", detail: "")
        #expect(Self.take(Self.flows(.flux, link, refusal: refusal), .dimmy, at: url) == .none)
        #expect(Self.take(Self.flows(.flux, link, isOverload: true), .dimmy, at: url) == .none)
    }
}
