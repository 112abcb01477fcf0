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

    /// Flows that know one launch, `f`, which was opened now.
    private static func flows(
        _ contract: Contract, _ link: String, refusal: CallbackTarget.Refusal? = nil,
        isOverload: Bool = false, masking pseudonyms: Pseudonyms? = nil
    ) -> OpenFlows {
        let opened = OpenedLaunch(
            flow: "f", inbox: "default", contract: contract, receivedAt: .now,
            check: LaunchCheck(of: Array(link.utf8), as: contract), refusal: refusal)
        let flows = OpenFlows(patience: .seconds(60))
        flows.add(
            opened.record(request: request, isOverload: isOverload, masking: pseudonyms),
            Receipt(id: RecordID(at: .now), sequence: 1))
        return flows
    }

    private static func take(
        _ flows: OpenFlows, _ vendor: Vendor, at url: String, masking pseudonyms: Pseudonyms? = nil
    ) -> FlowMembership {
        flows.take(
            OpenFlows.Arrival(
                vendor: vendor, inbox: "default",
                place: OpenFlows.place(of: LinkURL(url), masking: pseudonyms), request: request),
            at: .now)
    }

    @Test(arguments: [false, true])
    func aCallbackWhoseOwnQueryIsNotStoredJoinsItsLaunch(isMasked: Bool) {
        let hash = Pseudonyms { bytes in bytes.reduce(0) { $0 &* 31 &+ UInt64($1) } }
        let pseudonyms = isMasked ? hash : nil
        let flows = Self.flows(
            .flux,
            "/open?flowName=a&callback=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F%3F"
                + "session_token%3Dabc123%26stress%3D0.5", masking: pseudonyms)
        let own = "https://www.yourapp.com/dds/?session_token=abc123&stress=0.5"
        #expect(
            Self.take(
                flows, .dimmy, at: "https://www.yourapp.com/dds/?stress=0.5", masking: pseudonyms)
                == .none)
        #expect(
            Self.take(flows, .dimmy, at: own + "&status=cancelled", masking: pseudonyms)
                == .of("f"))
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
