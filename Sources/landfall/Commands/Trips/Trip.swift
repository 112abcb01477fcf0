// `landfall trip`: the whole round trip without a phone. Creates a launch, opens it at the
// emulator, follows its callbacks as a device would, and reports the state of the flow.

import ArgumentParser
import Emulator
import Foundation
import JSON
import ResultStore
import Text
import Vendors

struct Trip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run launch, vendor's app, callback and result once, and print the timeline.",
        discussion: """
            Uses a running server, or starts one for this trip. dimmy is Flux, the vendor's current \
            contract; dimmy-2024 is the previous one.

            EXAMPLES
              landfall trip welltory
              landfall trip welltory source=YourApp --server http://127.0.0.1:8080
              landfall trip ailet method=sync
              landfall trip flux --scenario error:not_logged_in --seed 42
              landfall trip ailet --scenario in_progress --server http://127.0.0.1:8080
              landfall trip welltory --scenarios

            Exit code 0 when the flow ended as the scenario says, 1 when not, 2 for bad usage, 3 when \
            the server can't be reached or started.
            """)

    @Argument(
        help: "\(Vendor.launchableNames), or a contract.",
        completion: .list(Contract.launchingNames))
    var vendor: String

    @Argument(
        help: ArgumentHelp(
            "The link's parameters; what its kind of link needs besides is added.",
            valueName: "key=value"))
    var pairs: [String] = []

    @Option(help: ArgumentHelp("The scenario of the vendor's app.", valueName: "scenario"))
    var scenario = "completed"

    @Flag(help: "List the scenarios of the vendor instead.")
    var scenarios = false

    @Option(
        help: ArgumentHelp(
            "A running server; otherwise LANDFALL_SERVER, or one that is started for the trip.",
            valueName: "url"))
    var server: String?

    @Option(help: "The same seed gives the same values; a random one otherwise.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("The inbox of the callbacks.", valueName: "name"))
    var inbox = "trips"

    @OptionGroup var format: JSONOption

    @OptionGroup var access: ServerAccessOptions

    func validate() throws {
        let contract = try contract()
        if !scenarios { _ = try plan(contract) }
        guard Inbox.isValid(inbox) else {
            throw ValidationError("--inbox: expected \(Inbox.rule).")
        }
        try server?.requireServer("--server")
    }

    private func contract() throws(ValidationError) -> Contract {
        if let contract = Contract(launching: vendor) { return contract }
        throw ValidationError(
            "There is no vendor \(vendor); there are "
                + "\(Contract.launchingNames.joined(separator: ", ")).")
    }

    /// The trip that the arguments name; each call may choose another seed.
    private func plan(_ contract: Contract) throws(ValidationError) -> TripPlan {
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario(parsing: self.scenario, of: contract)
            try VendorApp.check(scenario, of: contract)
        } catch {
            throw ValidationError("\(error)")
        }
        var parameters: [(name: String, value: String)] = []
        for pair in pairs {
            guard let parameter = Launch.Parameter(pair: pair) else {
                throw ValidationError("\"\(TerminalText.visible(pair))\" is not key=value.")
            }
            parameters.append((parameter.name, parameter.value))
        }
        return TripPlan(
            contract: contract, scenario: scenario,
            seed: seed ?? UInt64.random(in: VendorApp.seeds), inbox: inbox,
            parameters: parameters)
    }

    func run() async throws {
        let contract = try contract()
        if scenarios { return try listScenarios(of: contract) }
        let plan = try plan(contract)
        let report = try await run(plan)
        try Console.print(format.json ? report.document : report.text(TerminalStyle()))
        if !report.problems.isEmpty { throw CommandFailure.exit(Exit.no) }
    }

    private func run(_ plan: TripPlan) async throws(CommandFailure) -> TripReport {
        let authorities = try access.trust.authorities()
        let token = try KnownServer.token(access.token)
        guard let server = try KnownServer.named(server) else {
            return try await TripServer.using { url throws(CommandFailure) in
                try await TripRunner(url, token: nil, trusting: nil).run(plan)
            }
        }
        return try await TripRunner(server, token: token, trusting: authorities).run(plan)
    }

    private func listScenarios(of contract: Contract) throws {
        let entries = VendorApp.scenarios(of: contract)
        if format.json {
            let document = JSONWriter.text { json in
                json.objects("scenarios", of: entries) { json, entry in
                    json.member("scenario", entry.form)
                    json.member("summary", entry.summary)
                }
            }
            return try Console.print(document)
        }
        try Console.print(TextTable.text(of: entries.map { [$0.form, $0.summary] }))
    }
}

extension Contract {
    /// The contract of messages that can be made, by a vendor's name or its own.
    static func ofMessages(_ name: String) throws(ValidationError) -> Contract {
        if let contract = Contract(sending: name) { return contract }
        let fault =
            Contract(rawValue: name) == nil
            ? "There is no vendor \(name)" : "\(name) is a link that nothing answers"
        throw ValidationError("\(fault); there are \(sendingNames.joined(separator: ", ")).")
    }
}
