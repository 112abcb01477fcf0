// `landfall doctor`: checks what a server needs before it starts, and what it needs from the world.
//
// Invariant: it changes nothing, works beside a running server, and says everything at once instead
// of stopping at the first problem.

import ArgumentParser
import Foundation
import InstallationChecks
import JSON
import Settings
import Text

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check configuration, ports, data folder, certificates, link files and sites.",
        discussion: """
            One line for each check, with what to do. Takes the flags of "landfall serve", except \
            --take-over. Sites are fetched by https as Apple's and Google's servers do; --offline \
            leaves that out.

            Exit code 0 when there is no problem, 1 when there is one; warnings don't count.
            """)

    @OptionGroup var options: ServeOptions

    @Flag(help: "Send no requests to the sites.")
    var offline = false

    @OptionGroup var format: JSONOption

    @OptionGroup var trust: TrustOption

    func run() async throws {
        let authorities = try trust.authorities()
        var diagnoses: [Diagnosis] = []
        do throws(ConfigurationError) {
            let configuration = try options.load()
            diagnoses += ConfigurationDiagnosis(configuration).diagnoses
            diagnoses += AccessDiagnosis(configuration).diagnoses
            diagnoses += await PortDiagnosis(configuration).diagnoses()
            if let database = configuration.database {
                diagnoses += DatabaseDiagnosis(database).diagnoses
            }
            diagnoses += DataDiagnosis(folder: configuration.dataFolder, now: .now).diagnoses
            diagnoses += SpoolDiagnosis(configuration).diagnoses
            diagnoses += CertificateDiagnosis(configuration, now: .now, authorities).diagnoses
            diagnoses += await SiteDiagnosis(configuration, authorities)
                .diagnoses(sendsRequests: !offline)
        } catch {
            diagnoses.append(
                .problem(
                    "configuration", "\(error)".trimmingSuffix("."),
                    "Correct it; nothing else was checked."))
        }
        try Console.print(format.json ? Self.document(diagnoses) : Self.text(diagnoses))
        if diagnoses.contains(where: { $0.status == .problem }) { throw Exit.no }
    }

    private static func text(_ diagnoses: [Diagnosis]) -> String {
        let style = TerminalStyle()
        let problems = diagnoses.count { $0.status == .problem }
        let warnings = diagnoses.count { $0.status == .warning }
        let summary = "\(problems.counted("problem")), \(warnings.counted("warning"))"
        return (diagnoses.map { $0.line(style) } + [summary]).joined(separator: "\n")
    }

    private static func document(_ diagnoses: [Diagnosis]) -> String {
        JSONWriter.text { json in
            json.member("ok", !diagnoses.contains { $0.status == .problem })
            json.array("checks") { json in for diagnosis in diagnoses { diagnosis.write(to: &json) }
            }
        }
    }
}

extension Diagnosis {
    /// The line for people.
    fileprivate func line(_ style: TerminalStyle) -> String {
        let word = status.rawValue.padding(to: 8)
        let styled =
            switch status {
            case .ok: style.good(word)
            case .warning: style.warning(word)
            case .problem: style.bad(word)
            }
        let sentence = advice.map { ". \($0)" } ?? ""
        return "\(styled) \(check.padding(to: 13)) "
            + TerminalText.visible(text + sentence).replacing("\n", with: " ")
    }
}

extension String {
    /// The text with spaces after it, up to a number of characters.
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
