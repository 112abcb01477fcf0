// `landfall results get`: one result, or its request.

import ArgumentParser
import JSON
import ResultAPI
import Text

extension Results {
    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one result, or its request.",
            discussion: """
                The text is for people and may change; programs use --json.

                EXAMPLES
                  landfall results get latest
                  landfall results get latest --json | jq .result
                  landfall results get latest --body > body.json
                  landfall results get latest --curl --to http://127.0.0.1:9000 | sh

                Exit code 0 when there is such a result, 1 when there is none.
                """)

        /// The part of a result to show.
        enum Part: EnumerableFlag {
            case request
            case curl
            case body

            static func help(for value: Part) -> ArgumentHelp? {
                switch value {
                case .request: "Print the request as received, as an HTTP message."
                case .curl: "Print a curl command that sends the request again."
                case .body: "Print the exact bytes of the request's body."
                }
            }
        }

        @Argument(help: ArgumentHelp("The result's id, or latest.", valueName: "id"))
        var id: String

        @Flag var part: Part?

        @Option(
            help: ArgumentHelp(
                "With --curl: the server to send to, instead of the original one.",
                valueName: "url"))
        var to: String?

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if id != "latest" { try id.requireID() }
            if part != nil, source.json {
                throw ValidationError("--json shows the whole result: leave out the other flag.")
            }
            if to != nil, part != .curl { throw ValidationError("--to needs --curl.") }
        }

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                try Console.write(try await text(from: source))
                return .success
            }
        }

        private func text(from source: any ResultSource) async throws(CommandFailure) -> [UInt8] {
            let lineEnd = [UInt8(ascii: "\n")]
            switch part {
            case nil:
                let body = try await record(from: source)
                if self.source.json { return body + lineEnd }
                guard let root = try? JSONDocument(parsing: body).root else {
                    throw Self.unreadable
                }
                return Array(ResultText(record: root, style: TerminalStyle()).text.utf8)
            case .body:
                guard let request = StoredRequest(ofRecord: try await record(from: source)) else {
                    throw Self.unreadable
                }
                return request.body?.octets ?? []
            case .request:
                let query = CommandQuery(.resultRequest, about: try await name(source))
                return try await source.answer(to: query).body
            case .curl:
                var query = CommandQuery(.resultCurl, about: try await name(source))
                query.set("to", to)
                return try await source.answer(to: query).body
            }
        }

        private static let unreadable = CommandFailure("The result can't be read.")

        private func record(
            from source: any ResultSource
        ) async throws(CommandFailure) -> [UInt8] {
            let query =
                id == "latest" ? CommandQuery(.latestResult) : CommandQuery(.result, about: id)
            return try await source.answer(to: query).body
        }

        /// The id; looked up for the latest result.
        private func name(_ source: any ResultSource) async throws(CommandFailure) -> String {
            if id != "latest" { return id }
            let record = try await record(from: source)
            guard let name = try? JSONDocument(parsing: record).root["id"]?.string else {
                throw Self.unreadable
            }
            return name
        }
    }
}
