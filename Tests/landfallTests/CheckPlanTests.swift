// The checks of a certificate, for all scenarios and for chosen ones. Left out: sending them, which
// is tested in `Tests/curl/certify.bats`.

import Testing
import Vendors

@testable import Certification

@Suite struct CheckPlanTests {
    private static func checks(
        _ contract: Contract, _ scenarios: [Scenario]?
    ) throws -> [Check] {
        try CheckPlan(
            contract, at: CallbackURL("https://example.com/done"), seed: 7, posts: true,
            scenarios: scenarios, now: 1_700_000_000, run: "1"
        ).checks()
    }

    private static func names(_ checks: [Check], _ groups: Set<Check.Group>) -> [String] {
        checks.filter { groups.contains($0.group) }.map(\.name)
    }

    @Test(arguments: [Contract.welltoryDDS, .flux, .ailetDeeplink])
    func chosenScenariosLeaveTheOtherGroupsAsTheyAre(contract: Contract) throws {
        let all = try Self.checks(contract, nil)
        let chosen = try Self.checks(contract, [.completed])
        #expect(Self.names(chosen, [.malformed]) == Self.names(all, [.malformed]))
        #expect(Self.names(chosen, [.malformed]).contains("malformed:model"))
        #expect(Self.names(chosen, [.scenarios]) == ["completed"])
        #expect(Self.names(chosen, [.variants]).contains("with a parameter of your own"))
        #expect(Self.names(chosen, [.repeats]).isEmpty && !Self.names(all, [.repeats]).isEmpty)
        #expect(Self.names(all, [.variants]).count { $0 == "with a parameter of your own" } == 1)
    }

    @Test func aBrokenScenarioThatIsNamedComesAlone() throws {
        let checks = try Self.checks(.welltoryDDS, [.completed, .malformed(.utf8)])
        let broken = Set(Self.names(checks, [.malformed]).filter { $0.hasPrefix("malformed:") })
        #expect(broken == ["malformed:utf8", "malformed:utf8, as a form"])
    }
}
