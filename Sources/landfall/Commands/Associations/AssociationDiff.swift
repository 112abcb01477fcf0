// `landfall association diff`: which URLs, from a list or from stored callbacks, would open
// differently with another version of a link file.

import ArgumentParser
import Foundation
import JSON
import LinkHosting
import LinkPatterns
import Text

extension Association {
    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which URLs would open differently with another link file.",
            discussion: """
                The URLs come from a file, one per line, or from the latest callbacks received by \
                GET, in a folder or on a running server.

                EXAMPLES
                  landfall association diff old.json new.json --urls links.txt
                  landfall association diff old.json new.json --server http://127.0.0.1:8080
                  landfall association diff old.json new.json --data data --limit 5000

                Exit code 0 when nothing changes, 1 when something does, 2 for bad usage and for \
                files that can't be read, 3 when the results can't be read.
                """)

        @Argument(help: "The link file that is served now.", completion: .file())
        var old: String

        @Argument(help: "The link file to compare with.", completion: .file())
        var new: String

        @Option(
            help: ArgumentHelp("URLs, one per line; - for standard input.", valueName: "file"),
            completion: .file())
        var urls: String?

        @Option(help: ArgumentHelp("The most callbacks to use; 0 for all.", valueName: "number"))
        var limit = 5000

        @Option(
            help: ArgumentHelp(
                "The host that serves the files; otherwise any URL's own host.",
                valueName: "host"))
        var domain: String?

        @Option(
            help: ArgumentHelp(
                "The app to decide about; otherwise all of the files.", valueName: "app-id"))
        var app: String?

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if limit < 0 { throw ValidationError("--limit must not be negative.") }
            let hasResults = source.server != nil || source.data != nil || source.file.config != nil
            if urls != nil, hasResults {
                throw ValidationError(
                    "Give --urls with a file, or results with --server, --data or --config, "
                        + "not both.")
            }
            if [old, new, urls].count(where: { $0 == "-" }) > 1 {
                throw ValidationError("Only one file can be standard input.")
            }
            try LinkFiles.checkOptions(domain: domain, app: app)
        }

        func run() async throws {
            try await AssociationFailure.run(asJSON: source.json) {
                var comparison = AssociationComparison(
                    try LinkFiles.association(at: old), try LinkFiles.association(at: new),
                    domain: domain, app: app)
                if let urls {
                    let content = try LinkFiles.content(of: urls)
                    for (number, fields) in CommaSeparated.lines(of: content) {
                        let url = fields.joined(separator: ",").trimmingCharacters(in: .whitespaces)
                        if url.isEmpty { continue }
                        let link = try LinkFiles.link(url, "\(urls), line \(number)")
                        comparison.add("\(link)")
                    }
                } else {
                    let received = try await receivedURLs()
                    if received.isEmpty {
                        Console.printError("Nothing is compared: no callback came by GET.")
                    }
                    for url in received { comparison.add(url) }
                }
                try Console.print(
                    source.json ? comparison.json : comparison.text(TerminalStyle()))
                return comparison.changes.isEmpty ? .success : Exit.no
            }
        }

        /// The URLs of the newest callbacks received by GET.
        private func receivedURLs() async throws -> [String] {
            var urls: [String] = []
            _ = try await source.ask { source async throws(CommandFailure) in
                urls = try await Self.urls(from: source, limit: limit == 0 ? .max : limit)
                return .success
            }
            return urls
        }

        private static func urls(
            from source: any ResultSource, limit: Int
        ) async throws(CommandFailure) -> [String] {
            var query = CommandQuery(.results)
            query.set("method", "GET")
            query.set("fields", "request.scheme,request.host,request.target")
            query.form = .lines
            var pages = ResultPages(.lines)
            var urls: [String] = []
            repeat {
                query.set("limit", "\(min(limit - urls.count, ResultPages.pageResults))")
                let answer = try await source.answer(to: query)
                let text = try pages.text(of: answer)
                for line in text.split(separator: UInt8(ascii: "\n")) {
                    guard let request = try? JSONDocument(parsing: Array(line)).root["request"]
                    else { throw CommandFailure("The server's response is not a list of results.") }
                    urls.append(url(of: request))
                }
                query.set("cursor", pages.cursor)
            } while pages.cursor != nil && urls.count < limit
            return urls
        }

        private static func url(of request: JSONNode) -> String {
            let part = { (name: String) in request[name]?.string ?? "" }
            var target = part("target")
            let link = LinkURL(target)
            // In absolute form (RFC 9112 §3.2.2) it has a scheme and an authority of its own.
            if link.isWebLink {
                target = String(decoding: link.bytes[link.pathRange.lowerBound...], as: UTF8.self)
                if target.utf8.first != UInt8(ascii: "/") { target = "/" + target }
            }
            return "\(part("scheme"))://\(part("host"))\(target)"
        }
    }
}
