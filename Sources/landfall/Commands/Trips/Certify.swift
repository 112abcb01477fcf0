// `landfall certify`: checks a partner's own endpoint with everything that a vendor's app and
// server may send, and writes the certificate.

import ArgumentParser
import Certification
import Clocks
import Foundation
import HTTPClient
import ResultStore
import Settings
import Text
import Vendors

struct Certify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that an endpoint receives a vendor's callbacks as it must.",
        discussion: """
            Sends every scenario and status of the vendor's app, repeats them, and breaks them layer by \
            layer. With --post also as a form and as JSON, with --secret also Flux's webhooks with \
            good and bad signatures. The endpoint must answer good messages with 2xx, broken ones \
            without 5xx, bad signatures with 4xx; in time, without redirects, over TLS that phones \
            accept.

            EXAMPLES
              landfall certify https://partner.example/dds/ --vendor welltory
              landfall certify https://partner.example/flux --vendor flux --junit flux.xml
              landfall certify https://partner.example/hooks --vendor flux-webhook \\
                --secret whsec_…
              landfall certify http://127.0.0.1:8080/callbacks/ailet --vendor ailet \\
                --scenarios completed,error:IR_ERROR_AUTH

            Exit code 0 when every check passed, 1 when one failed, 2 for bad usage, 3 when the endpoint \
            can't be reached.
            """)

    @Argument(
        help: ArgumentHelp("The endpoint: https://…, or http on this machine.", valueName: "url"))
    var url: String

    @Option(
        help: "\(Vendor.launchableNames), or a contract.",
        completion: .list(Contract.sendingNames))
    var vendor: String

    @Option(
        help: ArgumentHelp(
            "Of the scenarios only these, separated by commas, and of malformed: all unless "
                + "some are named; `landfall trip VENDOR --scenarios` lists all.",
            valueName: "list"))
    var scenarios: String?

    @Flag(help: "Post every message as a form and as JSON too, as a back end gets it from its app.")
    var post = false

    @Option(
        help: ArgumentHelp(
            "Sign Flux's webhooks with this secret; the first of LANDFALL_WEBHOOK_SECRETS otherwise.",
            valueName: "text"))
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "Maximum time for a response, such as 5s or 800ms.", valueName: "duration"))
    var within = "10s"

    @Flag(help: "Don't check TLS and its certificate.")
    var insecure = false

    @Option(help: "The same seed gives the same values; a random one otherwise.")
    var seed: UInt64?

    @OptionGroup var format: JSONOption

    @Option(
        help: ArgumentHelp("Write JUnit's XML, for CI servers.", valueName: "file"),
        completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp("Write a page with all results.", valueName: "file"),
        completion: .file())
    var html: String?

    @OptionGroup var trust: TrustOption

    func validate() throws { try url.requireURL("url") }

    func run() async throws {
        let plan = try plan()
        let checks: [Check]
        do {
            checks = try plan.checks()
        } catch {
            throw ValidationError("\(error)")
        }
        var certifier = Certifier()
        certifier.checksTLS = !insecure
        guard let limit = Duration(within), limit > .zero, limit <= .seconds(600) else {
            throw ValidationError("--within: expected a duration up to 10m, such as 5s or 800ms.")
        }
        certifier.limit = limit
        certifier.authorities = try trust.authorities()
        let certificate = try await run(certifier, plan, checks)
        if format.json {
            try Console.print(String(decoding: certificate.json, as: UTF8.self))
        } else {
            try Console.print(Self.summary(certificate))
        }
        // One that can't be written doesn't keep the other from being written.
        let areWritten = [
            Self.write(certificate.junit, to: junit), Self.write(certificate.html, to: html),
        ]
        if areWritten.contains(false) { throw CommandFailure.exit(Exit.environment) }
        if !certificate.isGood { throw CommandFailure.exit(Exit.no) }
    }

    private func plan() throws -> CheckPlan {
        let contract = try Contract.ofMessages(vendor)
        let endpoint: CallbackURL
        do throws(CallbackURL.Fault) {
            endpoint = try CallbackURL(url)
        } catch {
            throw ValidationError(
                "url: invalid at character \(error.offset + 1): expected \(error.expected).")
        }
        let secret = try WebhookSecret.ofOption(secret, for: contract)
        if contract.declaration.isWebhook, secret == nil {
            throw ValidationError(
                "\(contract.rawValue) needs --secret or LANDFALL_WEBHOOK_SECRETS.")
        }
        return CheckPlan(
            contract, at: endpoint, seed: seed ?? UInt64.random(in: VendorApp.seeds), posts: post,
            scenarios: try chosen(contract), secret: secret,
            now: Timestamp.now.unixMilliseconds / 1000, run: RecordID(at: .now).description)
    }

    /// The scenarios of `--scenarios`; nil for all.
    private func chosen(_ contract: Contract) throws -> [Scenario]? {
        guard let scenarios else { return nil }
        let names = scenarios.split(separator: ",").map(String.init)
        guard !names.isEmpty, contract.callsBack else {
            throw ValidationError(
                "--scenarios: expected scenarios of a vendor whose app calls back, and commas.")
        }
        return try names.map { name in
            do throws(ScenarioError) {
                let scenario = try Scenario(parsing: name, of: contract)
                try VendorApp.check(scenario, of: contract)
                return scenario
            } catch {
                throw ValidationError("--scenarios: \(error)")
            }
        }
    }

    // MARK: Running

    private func run(
        _ certifier: Certifier, _ plan: CheckPlan, _ checks: [Check]
    ) async throws(CommandFailure) -> Certificate {
        let style = TerminalStyle()
        let isTable = !format.json
        // On a terminal the table itself is the progress.
        let progress = isTable && Console.isTerminal ? nil : ProgressLine("certifying")
        var done: Int64 = 0
        do {
            let certificate = try await certifier.run(plan, checks) { result, count in
                done += 1
                progress?.show(done, of: Int64(count))
                if isTable { try Console.print(Self.line(result, style)) }
            }
            progress?.end()
            return certificate
        } catch let error as CommandFailure {
            throw error
        } catch let error as ClientError {
            throw CommandFailure("\(error)")
        } catch {
            throw .exit(Exit.no)
        }
    }

    private static func line(_ result: CheckResult, _ style: TerminalStyle) -> String {
        let word =
            switch result.ending {
            case .passed: style.good("passed ")
            case .failed: style.bad("FAILED ")
            case .skipped: style.faint("skipped")
            }
        let group = result.group.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
        let status = result.status.map(String.init) ?? "-"
        let time = result.milliseconds.map { "\($0) ms" } ?? "-"
        let columns = [
            word, group, status.padding(toLength: 3, withPad: " ", startingAt: 0),
            String(repeating: " ", count: max(0, 8 - time.count)) + time, result.name,
        ]
        let line = columns.joined(separator: "  ")
        guard let sentence = result.sentence else { return line }
        return line + "\n" + String(repeating: " ", count: 9) + TerminalText.visible(sentence)
    }

    private static func summary(_ certificate: Certificate) -> String {
        let counts = [
            (certificate.passed, "passed"), (certificate.failed, "failed"),
            (certificate.skipped, "skipped"),
        ]
        let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(certificate.contract.rawValue) at \(certificate.url): \(text); "
            + "seed \(certificate.seed)"
    }

    /// Writes a file, or reports that it can't be written; nothing without a path.
    ///
    /// Returns whether all is well. A regular file appears only when it is complete.
    private static func write(_ text: String, to path: String?) -> Bool {
        guard let path else { return true }
        do {
            let options: Data.WritingOptions = ExportDestination.mustStay(path) ? [] : .atomic
            try Data(text.utf8).write(to: URL(filePath: path), options: options)
            return true
        } catch {
            // The certificate is on standard output already, with --json as its one document.
            Console.printError("\(path) can't be written.")
            return false
        }
    }
}

extension WebhookSecret {
    /// The secret of an option, or else of the environment; nil for a contract that isn't signed
    /// unless the option names one.
    ///
    /// Throws for a secret that is invalid, and for one that nothing is signed with.
    static func ofOption(_ text: String?, for contract: Contract) throws -> WebhookSecret? {
        guard contract.vendor.postsWebhooks else {
            if text == nil { return nil }
            throw ValidationError("Only webhooks are signed: omit --secret.")
        }
        guard let text else {
            let variable = ProcessInfo.processInfo.environment["LANDFALL_WEBHOOK_SECRETS"]
            guard let variable else { return nil }
            guard let secrets = list(variable) else {
                throw ValidationError("LANDFALL_WEBHOOK_SECRETS: expected \(listRule).")
            }
            return secrets.first
        }
        guard let secret = WebhookSecret(text) else {
            throw ValidationError("--secret: expected \(rule).")
        }
        return secret
    }
}
