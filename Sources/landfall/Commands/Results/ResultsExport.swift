// `landfall results export`: writes complete results to a file, oldest first.

import ArgumentParser
import Foundation
import HTTPClient
import JSON
import ResultAPI
import Text

extension ExportFormat: ExpressibleByArgument {}

extension Results {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write results that match a query to a file, oldest first.",
            discussion: """
                ndjson holds everything and can be imported again; csv is for spreadsheets, har for \
                tools that read HTTP archives. The file appears once the export is complete.

                EXAMPLES
                  landfall results export --output backup.ndjson
                  landfall results export vendor:dimmy --since 7d --format csv \\
                    --output week.csv
                  landfall results export inbox:ci | jq .result

                Exit code 0 when it is done, also when nothing matched, 1 when damaged records \
                were left out, or when a proxy dropped the number of them.
                """)

        @OptionGroup var arguments: QueryArguments

        @Option(help: "The format of the output.")
        var format = ExportFormat.ndjson

        @Option(
            help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
            completion: .file())
        var output = "-"

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if output.isEmpty { throw ValidationError("--output must not be empty.") }
            if source.json, output == "-" {
                throw ValidationError("--json reports about a file: name one with --output.")
            }
        }

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                let destination = try ExportDestination(output)
                let leftOut: Int?
                do throws(CommandFailure) {
                    leftOut = try await export(from: source, to: destination)
                    try destination.finish()
                } catch {
                    destination.discard()
                    throw error
                }
                if self.source.json { try Console.write(document(destination.size, leftOut)) }
                guard let leftOut else {
                    Console.printError(Self.isUnknown)
                    return Exit.no
                }
                guard leftOut > 0 else { return .success }
                let records = leftOut.counted("damaged record")
                Console.printError("Left out: \(records); run \"landfall results verify\".")
                return Exit.no
            }
        }

        private static let isUnknown = """
            Unknown whether records are missing: no \(ExportFormat.leftOutField) came after the \
            content. Some proxies drop trailer fields: name the server itself with --server.
            """

        /// Writes the export, and returns how many damaged records it lacks; nil if the server's
        /// number didn't arrive.
        private func export(
            from source: any ResultSource, to destination: ExportDestination
        ) async throws(CommandFailure) -> Int? {
            var query = CommandQuery(.export)
            arguments.apply(to: &query)
            query.set("format", format.rawValue)
            let refusal = CollectedContent()
            let type = format.contentType
            let isExport = { @Sendable (head: ResponseHead) in
                head.status == 200 && head["content-type"] == type
            }
            let head = try await source.ask(query) { head, part in
                if isExport(head) { try destination.write(part) } else { refusal.append(part) }
            }
            guard isExport(head) else {
                throw CommandFailure(ClientResponse(head: head, body: refusal.bytes), query)
            }
            return head.trailer(ExportFormat.leftOutField).flatMap { Int($0) }
        }

        private func document(_ size: Int64, _ leftOut: Int?) -> [UInt8] {
            let body = JSONWriter.object { json in
                json.member("file", output)
                json.member("format", format.rawValue)
                json.member("bytes", Int(size))
                json.member("left_out", leftOut)
            }
            return body + [UInt8(ascii: "\n")]
        }
    }
}
