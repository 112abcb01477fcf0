// The arguments for a query and its period.

import ArgumentParser
import ResultAPI
import ResultStore

/// The arguments of commands that query results.
struct QueryArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The query: field:value, words, AND, OR, NOT, parentheses; all results without "
                + "it.",
            valueName: "query"))
    var query: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only results since then: \(ResultAPI.sinceRule).", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Which records: callback, launch, delivery, registration, stray, several separated by "
                + "commas, or any. Without it, and without kind: in the query, callbacks; an "
                + "export has all.",
            valueName: "kinds"))
    var kind: String?

    func validate() throws {
        if let since, ResultAPI.condition(since: since, catalog: .all) == nil {
            throw ValidationError("--since must be \(ResultAPI.sinceRule).")
        }
    }

    /// Sets the query's parameters.
    func apply(to query: inout CommandQuery) {
        if !self.query.isEmpty { query.set("q", self.query.joined(separator: " ")) }
        if let kind { query.set("kind", kind) }
        if let since {
            query.set("received_after", ResultAPI.receivedAfter(since: since))
        }
    }
}
