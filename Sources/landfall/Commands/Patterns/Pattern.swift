// `landfall pattern`: tests link patterns before an app or a receiver uses them.

import ArgumentParser
import JSON
import LinkPatterns
import Text

struct Pattern: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try link patterns: recipes/:int(id)?(:tab).",
        subcommands: [Match.self, Route.self])

    struct Match: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Match a URL against a pattern, and print its parameters.",
            discussion: """
                a/b literal components   :id, :int(id) one component   * one or more
                (a/b) may be left out    (a|b/c) one of several        ?:q&(:r) items of the query
                Types: num str bool int double string.

                Under http and https the pattern begins with the path, or with the host; under other \
                schemes with the host, as in app://recipes/5.

                EXAMPLES
                  landfall pattern match 'recipes/:int(id)' https://example.com/recipes/5
                  landfall pattern match '*/(edit|view)?:id' 'app://item/7/edit?id=3' --json

                Exit code 0 when it matches, 1 when not, 2 when the pattern can't be read.
                """)

        @Argument(help: "The pattern, quoted.")
        var pattern: String

        @Argument(help: "The URL, quoted: & and ? are special to shells.")
        var url: String

        @OptionGroup var format: JSONOption

        func run() async throws {
            let pattern: LinkPattern
            do throws(LinkPatternError) {
                pattern = try LinkPattern(self.pattern)
            } catch {
                try printReport(error)
                throw Exit.badUsage
            }
            let links = Self.links(LinkURL(url))
            let parameters = links.lazy.compactMap { pattern.match($0) }.first
            if format.json {
                try Console.print(Self.document(parameters))
            } else {
                try Console.print(text(parameters, links.first, pattern))
            }
            if parameters == nil { throw Exit.no }
        }

        /// The two links that the pattern may be meant for: without the host, and with it in front.
        private static func links(_ url: LinkURL) -> [Link] {
            guard let link = url.link else { return [] }
            guard url.isWebLink, let host = url.host, !host.isEmpty else { return [link] }
            return [link, Link(components: [host] + link.components, query: link.query)]
        }

        private static func document(_ parameters: Parameters?) -> String {
            JSONWriter.text { json in
                json.member("match", parameters != nil)
                json.object("parameters") { json in
                    for capture in parameters?.captures ?? [] {
                        json.member(capture.name, capture.value)
                    }
                }
            }
        }

        private func text(
            _ parameters: Parameters?, _ link: Link?, _ pattern: LinkPattern
        ) -> String {
            let style = TerminalStyle()
            guard let parameters else {
                guard let link else {
                    return style.bad("no match") + ": the URL can't be percent-decoded"
                }
                let reason = pattern.mismatch(link).map { ": \($0)" } ?? ""
                return style.bad("no match") + TerminalText.visible(reason)
            }
            let width = parameters.captures.map(\.name.count).max() ?? 0
            let lines = parameters.captures.map { capture in
                let padding = String(repeating: " ", count: width - capture.name.count)
                return TerminalText.visible("  \(capture.name)\(padding)  \(capture.value)")
            }
            return ([style.good("matches")] + lines).joined(separator: "\n")
        }

        private func printReport(_ error: LinkPatternError) throws {
            if format.json {
                return try Console.print(
                    JSONWriter.text { json in
                        json.object("error") { json in
                            json.member("message", error.message)
                            json.member("offset", error.offset)
                        }
                    })
            }
            let before = String(decoding: pattern.utf8.prefix(error.offset), as: UTF8.self)
            let column = TerminalText.visible(before).unicodeScalars.count
            Console.printError(
                "this is not a pattern\n  \(TerminalText.visible(pattern))\n  "
                    + String(repeating: " ", count: column) + "^ \(error.message)")
        }
    }
}
