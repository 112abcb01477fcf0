// `landfall launch check`: how a vendor's app would react to a link. It shows no credential.

import ArgumentParser
import Foundation
import JSON
import Settings
import Text
import Vendors

extension LaunchCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check a launch link, and report what the vendor's app does with it.",
            discussion: """
                Scheme and host identify the vendor. With --contract a link is read as that contract's, \
                whatever its host, and may be a request target too.

                EXAMPLES
                  landfall launch check 'https://flux.api.optioryx.com/open?flow=Inbound'
                  landfall launch check --contract flux '/emulate/flux/open?flowName=Inbound'
                  pbpaste | landfall launch check - --json

                Exit code 0 when the app would start its task, 1 when not, 2 for bad usage, 3 when the \
                configuration can't be read: it names the partners that Welltory knows.
                """)

        @Argument(help: "The link, quoted, or - to read it from standard input.")
        var url: String

        @Option(
            help: ArgumentHelp(
                "Read it by this contract: \(Self.names).", valueName: "name"),
            completion: .list(Contract.launchingNames))
        var contract: String?

        @OptionGroup var file: ConfigOption

        @OptionGroup var format: JSONOption

        private static let names = Contract.launchable.map(\.rawValue).joined(separator: ", ")

        func run() throws {
            let contract = contract.flatMap(Contract.init(launching:))
            if contract == nil, self.contract != nil {
                throw ValidationError("--contract is one of \(Self.names), or a vendor.")
            }
            let link = url == "-" ? try Self.standardInput() : url
            if link.isEmpty { throw ValidationError("There is no link to check.") }
            let partners = try CommandFailure.environment { try file.load().welltoryPartners }
            let check = LaunchCheck(of: Array(link.utf8), as: contract, partners: partners)
            try Console.print(format.json ? Self.document(check) : Self.report(check))
            if !check.isOK { throw Exit.no }
        }

        private static func standardInput() throws(CommandFailure) -> String {
            String(decoding: try Console.input("-"), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private static func document(_ check: LaunchCheck) -> String {
            var json = JSONWriter()
            check.write(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }

        /// The link's vendor and parameters, each diagnostic with its place, and the app's
        /// reaction.
        private static func report(_ check: LaunchCheck) -> String {
            let style = TerminalStyle()
            let verdict = check.isOK ? style.good("right") : style.bad("wrong")
            let owner = check.contract.map { "\($0.vendor.rawValue), contract \($0.rawValue)" }
            var lines = ["\(verdict)  \(style.strong(owner ?? "not a vendor's link"))"]
            let width = check.parameters.map(\.name.count).max() ?? 0
            for parameter in check.parameters {
                let padding = String(repeating: " ", count: max(0, width - parameter.name.count))
                lines.append(
                    TerminalText.visible(
                        "  \(parameter.name)\(padding)  \(check.shown(parameter))"))
            }
            if let callback = check.decodedCallback {
                lines.append(TerminalText.visible("  leads back to \(callback)"))
            }
            for finding in check.diagnostics { lines += text(of: finding, style) }
            lines.append("the app \(text(of: check.reaction))")
            return lines.joined(separator: "\n")
        }

        private static func text(of finding: Diagnostic, _ style: TerminalStyle) -> [String] {
            let word =
                switch finding.severity {
                case .error: style.bad("error")
                case .warning: style.warning("warning")
                case .info: style.faint("info")
                }
            let place = finding.offset.map { " at byte \($0)" } ?? ""
            let text = TerminalText.visible(
                "expected \(finding.expected), found \(finding.found)")
            let hint = finding.hint.map { ["    " + TerminalText.visible($0)] } ?? []
            return ["\(word)\(place): \(text) [\(finding.code)]"] + hint
        }

        private static func text(of reaction: Reaction) -> String {
            let what =
                switch reaction.kind {
                case .starts: "starts its task"
                case .nothing: "does nothing, and no callback arrives"
                case .returns: "calls back with \(reaction.query ?? "")"
                case .errorPage: "does not open: the link shows an error page"
                case .browser: "does not open: the link stays in the browser"
                }
            if reaction.kind == .starts { return what }
            return "\(what): \(reaction.rule)\(reaction.isInferred ? " (inferred)" : "")"
        }
    }
}
