// `landfall association explain`: whether a URL opens the app, and which rule decides.

import AppLinks
import ArgumentParser
import JSON
import LinkHosting
import LinkPatterns
import Text

extension Association {
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which rule of a link file decides whether a URL opens the app.",
            discussion: """
                Decides as Apple's systems do, offline. Each rule that doesn't match is shown with \
                the part of the URL that breaks it. Installed apps may use a copy of the file that \
                is up to about a week old.

                EXAMPLES
                  landfall association explain --association apple-app-site-association \\
                    'https://www.yourapp.com/dds/?stress=0.3'
                  landfall association explain --association FILE --app ID URL
                  landfall association explain --association FILE --batch links.csv

                A batch has lines of url,app,expected: match, exclude or no_match; the app may be \
                left empty.

                Exit code 0 when an app opens, 1 when no rule matches, 5 when a rule excludes the URL, \
                2 for bad usage and for files that can't be read. Of a batch: 0 when everything is \
                as expected, else 1.
                """)

        @Option(
            help: ArgumentHelp(
                "The apple-app-site-association file, or - for standard input.", valueName: "file"),
            completion: .file())
        var association: String

        @Option(
            help: ArgumentHelp(
                "The host that serves the file; otherwise any URL's own host.", valueName: "host"))
        var domain: String?

        @Option(
            help: ArgumentHelp(
                "The app, such as ABCDE12345.com.you.app; otherwise all of the file.",
                valueName: "app-id"))
        var app: String?

        @Option(
            help: ArgumentHelp(
                "Lines of url,app,expected to be checked; - for standard input.",
                valueName: "file"),
            completion: .file())
        var batch: String?

        @OptionGroup var format: JSONOption

        @Argument(help: "The URL, quoted: & and ? are special to shells.")
        var url: String?

        func validate() throws {
            if (url == nil) == (batch == nil) {
                throw ValidationError("Give a URL, or --batch with a file of them.")
            }
            if batch == "-", association == "-" {
                throw ValidationError("Only one file can be standard input.")
            }
            try LinkFiles.checkOptions(domain: domain, app: app)
        }

        func run() async throws {
            try await AssociationFailure.run(asJSON: format.json) {
                let file = try LinkFiles.association(at: association)
                guard let batch else { return try explain(url ?? "", by: file) }
                let report = try Self.expectations(at: batch).report(
                    by: file, on: domain, for: app)
                try Console.print(format.json ? report.json : report.text(TerminalStyle()))
                return report.failureCount == 0 ? .success : Exit.no
            }
        }

        /// Parses the batch at a path.
        ///
        /// Throws for a line that is invalid, and for a URL that isn't a link to a web site.
        private static func expectations(
            at path: String
        ) throws(AssociationFailure) -> ExplanationBatch {
            let content = try LinkFiles.content(of: path)
            let batch: ExplanationBatch
            do throws(ExplanationBatch.Fault) {
                batch = try ExplanationBatch(content)
            } catch {
                let sentence =
                    switch error {
                    case .invalidLine(let line):
                        "\(path), line \(line): expected url,app,expected, the last of which is "
                            + "match, exclude or no_match."
                    case .empty: "\(path) has no line with url,app,expected to check."
                    }
                throw AssociationFailure(sentence)
            }
            for expectation in batch.expectations {
                _ = try LinkFiles.link(expectation.url, "\(path), line \(expectation.line)")
            }
            return batch
        }

        private func explain(_ url: String, by file: AppSiteAssociation) throws -> ExitCode {
            var link = LinkURL(url)
            // What isn't a web link has an answer: it opens no app.
            if link.isWebLink { link = try LinkFiles.link(url, TerminalText.visible(url)) }
            let explanation = file.explain(link, on: domain, for: app)
            if format.json {
                var json = JSONWriter()
                json.object { json in
                    json.member("url", "\(link)")
                    explanation.writeMembers(to: &json)
                }
                try Console.print(String(decoding: json.bytes, as: UTF8.self))
            } else {
                if "\(link)" != url {
                    try Console.print("Devices compare it as \(TerminalText.visible("\(link)"))")
                }
                try Console.print(
                    ExplanationText(explanation: explanation, style: TerminalStyle()).text)
            }
            return switch explanation.verdict.decision {
            case .match: .success
            case .noMatch: Exit.no
            case .exclude: Exit.excluded
            }
        }
    }
}
