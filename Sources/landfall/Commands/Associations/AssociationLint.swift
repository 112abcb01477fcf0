// `landfall association lint`: reports errors in link files, local or as a server serves them.

import AppLinks
import ArgumentParser
import HTTPClient
import InstallationChecks
import JSON
import LinkHosting
import Text

extension Association {
    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check link files: report what is wrong and what to write instead.",
            discussion: """
                A folder means all link files in it. Files named assetlinks.json are Android's, all \
                others Apple's.

                EXAMPLES
                  landfall association lint apple-app-site-association
                  landfall association lint Config/sites
                  landfall association lint --url https://www.yourapp.com
                  curl -s https://www.yourapp.com/… | landfall association lint -

                Exit code 0 when there is no error, 1 when there is one, 2 for bad usage and for files \
                that can't be read; sites that respond are reported all the same.
                """)

        @Argument(
            help: ArgumentHelp("Link files, folders of them, or - for standard input."),
            completion: .file())
        var files: [String] = []

        @Option(
            help: ArgumentHelp(
                "A site, or a URL of a link file: is it served as it must be?", valueName: "url"))
        var url: [String] = []

        @Option(help: "association or assetlinks; otherwise the name decides.")
        var kind: HostedFile.Kind?

        @OptionGroup var format: JSONOption

        @Flag(help: "Leave out findings that are neither errors nor warnings.")
        var quiet = false

        @OptionGroup var trust: TrustOption

        func validate() throws {
            if files.isEmpty, url.isEmpty {
                throw ValidationError("Name a file, a folder, or a --url.")
            }
            if files.count(where: { $0 == "-" }) > 1 {
                throw ValidationError("Only one file can be standard input.")
            }
        }

        func run() async throws {
            let check = HostingCheck(trusting: try trust.authorities())
            try await AssociationFailure.run(asJSON: format.json) {
                var linted: [LintedFile] = []
                for path in try files.flatMap(LinkFiles.paths(of:)) {
                    let kind = kind ?? HostedFile.Kind(path: path)
                    linted.append(
                        LintedFile(
                            name: path,
                            findings: try kind.findings(in: LinkFiles.content(of: path))))
                }
                var failures: [String] = []
                for url in url {
                    do throws(ClientError) {
                        linted.append(try await check.lint(url, kind))
                    } catch {
                        failures.append("\(RequestPlace.shown(url)): \(error)")
                    }
                }
                try report(linted.map { quiet ? $0.withoutInformation : $0 }, failures)
                if !failures.isEmpty { return Exit.badUsage }
                return linted.allSatisfy(\.isValid) ? .success : Exit.no
            }
        }

        /// Prints what was found, and which sites didn't respond.
        private func report(_ linted: [LintedFile], _ failures: [String]) throws {
            if format.json {
                return try Console.print(
                    JSONWriter.text { json in
                        json.array("files") { json in
                            for file in linted { file.write(to: &json) }
                        }
                        guard !failures.isEmpty else { return }
                        json.object("error") {
                            $0.member("message", failures.joined(separator: "\n"))
                        }
                    })
            }
            let style = TerminalStyle()
            var lines: [String] = []
            for file in linted {
                lines += file.findings.map { $0.line(of: file.name, style) }
            }
            let findings = linted.flatMap(\.findings)
            let errors = findings.count { $0.severity == .error }
            let warnings = findings.count { $0.severity == .warning }
            lines.append(
                "\(linted.count.counted("file")): \(errors.counted("error")), "
                    + warnings.counted("warning"))
            if !linted.isEmpty { try Console.print(lines.joined(separator: "\n")) }
            for failure in failures { Console.printError(failure) }
        }
    }
}

extension HostedFile.Kind: ExpressibleByArgument {}
