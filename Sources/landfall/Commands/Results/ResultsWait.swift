// `landfall results wait`: waits until enough results have arrived, or reports what came instead.

import ArgumentParser
import HTTPClient
import JSON
import ResultAPI
import Text

extension Results {
    struct Wait: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Wait until results that match a query have arrived.",
            discussion: """
                Existing results count, unless --after says otherwise. On timeout, the nearest results \
                are listed with what each of them lacks. Only a running server can wait: the one of the \
                data folder, or another one (--server URL).

                EXAMPLES
                  landfall results wait inbox:ci outcome:completed
                  landfall results wait inbox:ci --count 3 --within 2m --json
                  landfall results wait inbox:ci --after now --none --within 5s

                Exit code 0 when they arrived, 1 when not (with --none: the other way round).
                """)

        @OptionGroup var arguments: QueryArguments

        @Option(help: ArgumentHelp("Results that must have arrived.", valueName: "number"))
        var count: Int?

        @Option(
            help: ArgumentHelp(
                "How long to wait, up to \(ResultAPI.longestWaitMinutes)m.", valueName: "time"))
        var within = "30s"

        @Option(
            help: ArgumentHelp(
                "Count only results after this: now, a seq, or next_cursor of an earlier wait.",
                valueName: "place"))
        var after: String?

        @Flag(help: "Expect that nothing arrives.")
        var none = false

        @OptionGroup var source: SourceOptions

        func validate() throws {
            let most = ResultAPI.longestWaitMinutes
            guard let time = Duration(within), time <= .seconds(most * 60) else {
                throw ValidationError(
                    "--within must be a time such as 30s or 500ms, up to \(most)m.")
            }
            if none, count != nil { throw ValidationError("Give --none or --count, not both.") }
        }

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let server = try source.runningServer()
                var query = CommandQuery(nil)
                arguments.apply(to: &query)
                query.set("count", count.map { "\($0)" })
                query.set("within", within)
                query.set("after", after)
                query.set("none", none ? "true" : nil)
                if !source.json { query.set("fields", Self.tableFields) }
                query.milliseconds += UInt64((Duration(within) ?? .zero).milliseconds)
                let answer: ClientResponse
                do throws(CommandFailure) {
                    answer = try await server.answer(to: query)
                } catch {
                    // What came, though it was too little, or nothing was expected.
                    if !source.json, let table = Self.table(of: error.document) {
                        try Console.write(Array(table.utf8))
                    }
                    throw error
                }
                if source.json {
                    try Console.write(answer.body + [UInt8(ascii: "\n")])
                } else if !none {
                    guard let table = Self.table(of: answer.body) else {
                        throw CommandFailure("The server's response is not a list of results.")
                    }
                    try Console.write(Array(table.utf8))
                }
                return .success
            }
        }

        /// The fields that the table needs.
        private static let tableFields =
            "id,seq,kind,received_at,inbox,vendor,contract,outcome,verdict,flow,request,result,"
            + "diagnostics,summary"

        /// The results in a response, a line each, and no header without results; nil if it is
        /// no list of results.
        private static func table(of body: [UInt8]) -> String? {
            let root = try? JSONDocument(parsing: body).root
            guard let results = root?["results"], results.kind == .array else { return nil }
            if results[0] == nil { return "" }
            var table = ResultTable()
            for result in results.elements { _ = table.add(Array(result.text)) }
            return table.text
        }
    }
}
