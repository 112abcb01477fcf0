// `landfall pattern route`: which receiver takes a URL, by which pattern, and why the others don't.

import ArgumentParser
import Foundation
import JSON
import LinkPatterns
import Server
import Settings
import Text

extension Pattern {
    struct Route: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which receiver takes a callback's URL, and why the others don't.",
            discussion: """
                Receivers are those of the configuration, in its order, and the paths below \
                /callbacks, which exist on every host.

                EXAMPLES
                  landfall pattern route 'https://www.yourapp.com/dds/?stress=0.3'
                  landfall pattern route http://localhost:8080/callbacks/ailet/qa --json

                Exit code 0 when one takes it, 1 when not, 3 when the configuration can't be read.
                """)

        @Argument(help: "The URL, quoted: & and ? are special to shells.")
        var url: String

        @OptionGroup var file: ConfigOption

        @OptionGroup var format: JSONOption

        func run() async throws {
            let configuration = try CommandFailure.environment { try file.load() }
            let url = LinkURL(self.url)
            guard let host = url.serverName, let link = url.link, url.isWebLink else {
                throw ValidationError("This needs an http or https URL with a valid path.")
            }
            let choices = ReceiverChoice.all(configuration.receivers, host, link)
            try Console.print(format.json ? Self.document(choices) : Self.text(choices))
            if !choices.contains(where: { $0.parameters != nil }) { throw Exit.no }
        }

        private static func document(_ choices: [ReceiverChoice]) -> String {
            JSONWriter.text { json in
                json.array("receivers") { json in
                    for choice in choices { choice.write(to: &json) }
                }
            }
        }

        private static func text(_ choices: [ReceiverChoice]) -> String {
            let style = TerminalStyle()
            let lines = choices.flatMap { choice -> [String] in
                guard let parameters = choice.parameters else {
                    let reason = choice.reason.map { ": \($0)" } ?? ""
                    return [
                        style.bad("no match") + TerminalText.visible("  \(choice.route)\(reason)")
                    ]
                }
                let line = "  \(choice.route) → \(choice.vendor), inbox \(choice.inbox)"
                return [style.good("takes it") + TerminalText.visible(line)]
                    + parameters.captures.map {
                        TerminalText.visible("            \($0.name) = \($0.value)")
                    }
            }
            return lines.joined(separator: "\n")
        }
    }
}
