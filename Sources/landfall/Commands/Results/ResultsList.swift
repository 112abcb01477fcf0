// `landfall results list`: results that match a query, newest first.

import ArgumentParser

extension Results {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List results that match a query, newest first.",
            discussion: """
                The arguments are joined into one query. Quote what is special to the shell, and write \
                NOT instead of a hyphen in front of a word.

                EXAMPLES
                  landfall results list
                  landfall results list vendor:welltory 'result.stress:>=0.3'
                  landfall results list outcome:error OR verdict:undecodable
                  landfall results list inbox:ci --lines --fields id,result
                  landfall results list --sort=-result.stress --json
                  landfall results list --kind stray --since 1h

                Exit code 0 when results match, 1 when none does.
                """)

        @OptionGroup var arguments: QueryArguments

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "received_at, seq or result.NAME; with a hyphen before it, descending.",
                valueName: "field"))
        var sort: String?

        @Option(help: ArgumentHelp("The most results to list; 0 for all.", valueName: "number"))
        var limit = 20

        @Option(
            help: ArgumentHelp(
                "Members of the results, separated by commas; needs --json or --lines.",
                valueName: "names"))
        var fields: String?

        @Flag(help: "Print one JSON object a line (NDJSON).")
        var lines = false

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if limit < 0 { throw ValidationError("--limit must not be negative.") }
            if lines, source.json { throw ValidationError("Give --json or --lines, not both.") }
            if fields != nil, !lines, !source.json {
                throw ValidationError("--fields needs --json or --lines: the table has its own.")
            }
        }

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                try await list(from: source)
            }
        }

        private func list(from source: any ResultSource) async throws(CommandFailure) -> ExitCode {
            var query = CommandQuery(.results)
            arguments.apply(to: &query)
            query.set("sort", sort)
            query.set("fields", fields)
            query.form = self.source.json ? .json : lines ? .lines : .table
            var pages = ResultPages(query.form)
            let most = limit == 0 ? Int.max : limit
            repeat {
                // A page of large results ends before its limit.
                query.set("limit", "\(min(most - pages.count, ResultPages.pageResults))")
                let answer = try await source.answer(to: query)
                try Console.write(try pages.text(of: answer))
                query.set("cursor", pages.cursor)
            } while pages.cursor != nil && pages.count < most
            try Console.write(pages.end)
            if !pages.hasResults, !self.source.json { Console.printError("No result matches.") }
            if pages.cursor != nil, Console.isTerminal, query.form == .table {
                Console.printError("There are more: --limit 0 lists all.")
            }
            return pages.hasResults ? .success : Exit.no
        }
    }
}
