// The arguments for a query and its period.

import ArgumentParser
import Text

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
            "Only results of this last span of time, such as 90s, 15m, 2h or 7d.",
            valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Which records: callback, launch, delivery, registration, stray, several separated by "
                + "commas, or any. Without it, and without kind: in the query, callbacks; an "
                + "export has all.",
            valueName: "kinds"))
    var kind: String?

    func validate() throws {
        guard let since else { return }
        guard Duration(since) != nil, !since.hasSuffix("ms") else {
            throw ValidationError("--since must be a number with s, m, h or d, such as 15m.")
        }
    }

    /// Sets the query's parameters.
    func apply(to question: inout ResultQuestion) {
        if !query.isEmpty { question.set("q", query.joined(separator: " ")) }
        if let kind { question.set("kind", kind) }
        if let since { question.set("received_after", "-" + since) }
    }
}
