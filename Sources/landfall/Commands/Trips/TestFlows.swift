// `landfall test`: runs the flows of a file, each from its launch to its callbacks, and compares
// what arrived with what the file expects.

import ArgumentParser
import Certification
import Emulator
import Foundation
import JSON
import Text
import UnixSignals
import Vendors

struct TestFlows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the flows of a file and check what arrives.",
        discussion: """
            Each flow launches a vendor's emulated app with a scenario, follows its callbacks, and \
            compares the flow with what is expected. The server is started for the file, on the \
            file's port or any free one, unless --server or LANDFALL_SERVER names a running one.

            EXAMPLE
              inbox: checkout
              flows:
                - name: a measurement
                  launch: welltory
                  seed: 7
                  expect: {outcome: completed, state: returned, result: {stress_c: yellow}}
                - launch: flux
                  scenario: error:not_logged_in
                  expect: {outcome: error, result: {error: not_logged_in}}

              landfall test flows.yaml

            Exit code 0 when every flow is as expected, 1 when one is not, 2 for bad usage or an \
            invalid file, 3 when the file can't be read, or the server can't be reached or started.
            """)

    @Argument(
        help: ArgumentHelp("The file; - for standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "A running server; otherwise LANDFALL_SERVER, or one that is started for the file.",
            valueName: "url"))
    var server: String?

    @OptionGroup var format: JSONOption

    @OptionGroup var access: ServerAccessOptions

    func validate() throws { try server?.requireServer("--server") }

    /// A flow that was run.
    private struct Run {
        let flow: ExpectedFlow
        /// Nil if the server refused the launch.
        let id: String?
        /// Deviations from the scenario and from what the file expects.
        let problems: [String]
    }

    func run() async throws {
        let runs = try await run(try read(), trusting: try access.trust.authorities())
        let bad = runs.count { !$0.problems.isEmpty }
        if format.json {
            try Console.print(Self.document(runs))
        } else {
            try Console.print("\(runs.count - bad) passed, \(bad) failed")
        }
        if bad > 0 { throw CommandFailure.exit(Exit.no) }
    }

    /// Reads the file, or standard input.
    private func read() throws(CommandFailure) -> FlowFile {
        let content = String(decoding: try Console.input(file), as: UTF8.self)
        do throws(FlowFileError) {
            return try FlowFile(yaml: content, file: file == "-" ? "standard input" : file)
        } catch {
            throw CommandFailure(usage: "\(error)")
        }
    }

    private func run(
        _ content: FlowFile, trusting authorities: [UInt8]?
    ) async throws(CommandFailure) -> [Run] {
        let token = try KnownServer.token(access.token)
        let isQuiet = format.json
        guard let server = try KnownServer.named(server) else {
            return try await TripServer.using(port: content.port) {
                url async throws(CommandFailure) in
                try await Self.run(
                    content, TripRunner(url, token: nil, trusting: nil), isQuiet: isQuiet)
            }
        }
        return try await Self.run(
            content, TripRunner(server, token: token, trusting: authorities), isQuiet: format.json)
    }

    private static func run(
        _ content: FlowFile, _ runner: TripRunner, isQuiet: Bool
    ) async throws(CommandFailure) -> [Run] {
        let style = TerminalStyle()
        var runs: [Run] = []
        for flow in content.flows {
            let plan = TripPlan(
                contract: flow.contract, scenario: flow.scenario, seed: flow.seed,
                inbox: content.inbox, parameters: flow.parameters)
            var id: String?
            let problems: [String]
            do throws(CommandFailure) {
                let report = try await runner.run(plan)
                id = report.flow
                // A file that says what it expects may expect what the scenario doesn't promise.
                problems =
                    (flow.expectations.isEmpty ? report.problems : [])
                    + flow.problems(in: report.found)
            } catch {
                // What the server refuses is a problem of this flow: the others are run.
                if error.exitCode == Exit.environment || error.description.isEmpty { throw error }
                problems = "line \(flow.line): \(error)".split(separator: "\n").map { String($0) }
            }
            runs.append(Run(flow: flow, id: id, problems: problems))
            if isQuiet { continue }
            let mark = problems.isEmpty ? style.good("passed") : style.bad("FAILED")
            try Console.print("\(mark)  \(TerminalText.visible(flow.name))")
            for problem in problems {
                try Console.print("        " + TerminalText.visible(problem))
            }
        }
        return runs
    }

    /// `{"ok","flows":[{"name","line","contract","scenario","seed","flow","ok","problems"}]}`.
    private static func document(_ runs: [Run]) -> String {
        JSONWriter.text { json in
            json.member("ok", runs.allSatisfy { $0.problems.isEmpty })
            json.objects("flows", of: runs) { json, run in
                json.member("name", run.flow.name)
                json.member("line", run.flow.line)
                json.member("contract", run.flow.contract.rawValue)
                json.member("scenario", run.flow.scenario.description)
                json.member("seed", "\(run.flow.seed)")
                json.member("flow", run.id)
                json.member("ok", run.problems.isEmpty)
                json.member("problems", run.problems)
            }
        }
    }
}
