// `landfall deliveries`: what a running server has yet to forward, and what it gave up.

import ArgumentParser
import JSON
import Text

struct DeliveryCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "Work with callbacks that are forwarded: list, retry.",
        discussion: """
            The rules are in the configuration (forward), and Forwarding.md explains them. The \
            commands ask the server that runs on the configured data folder, or the one of --server.
            """,
        subcommands: [List.self, Retry.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List targets, and callbacks that are pending or dead.",
            discussion: """
                EXAMPLES
                  landfall deliveries list
                  landfall deliveries list --state dead --rule partner
                  landfall deliveries list --json | jq '.targets[] | select(.dead > 0)'

                Attempts are records: landfall results list --kind delivery.

                Exit code 0 when nothing is dead, 1 when something is.
                """)

        /// What may be listed.
        enum State: String, ExpressibleByArgument, CaseIterable {
            case pending
            case dead
        }

        @Option(help: "Only callbacks in this state.")
        var state: State?

        @Option(help: ArgumentHelp("Only this rule.", valueName: "name"))
        var rule: String?

        @Option(help: ArgumentHelp("The most callbacks to list.", valueName: "number"))
        var limit = 100

        @OptionGroup var source: SourceOptions

        func validate() throws {
            guard (1...10_000).contains(limit) else {
                throw ValidationError("--limit must be a number from 1 to 10000.")
            }
        }

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let body = try await source.runningServer().answer(
                    .get, "/api/v1/deliveries",
                    [("state", state?.rawValue), ("rule", rule), ("limit", "\(limit)")])
                guard let root = try? JSONDocument(parsing: body).root,
                    let targets = root["targets"]
                else { throw CommandFailure("The list can't be read.") }
                if source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else {
                    try Console.print(Self.text(of: root))
                }
                let dead = targets.elements.reduce(0) { $0 + ($1["dead"]?.int ?? 0) }
                return dead == 0 ? .success : Exit.no
            }
        }

        private static func text(of root: JSONNode) -> String {
            var text = table(
                root["targets"],
                [
                    ("RULE", "rule"), ("TARGET", "url"), ("PENDING", "pending"), ("DEAD", "dead"),
                    ("OLDEST (S)", "oldest_pending_seconds"), ("PAUSED UNTIL", "paused_until"),
                ])
            if root["deliveries"]?.elements.first(where: { _ in true }) != nil {
                text += "\n\n"
                text += table(
                    root["deliveries"],
                    [
                        ("STATE", "state"), ("RULE", "rule"), ("TARGET", "url"),
                        ("RESULT", "result"), ("ATTEMPTS", "attempts"), ("STATUS", "status"),
                        ("NEXT ATTEMPT", "next_attempt_at"),
                    ])
            }
            return text
        }

        /// One line for each element, in columns.
        private static func table(
            _ list: JSONNode?, _ columns: [(title: String, member: String)]
        ) -> String {
            var rows = [columns.map(\.title)]
            for element in list.map({ Array($0.elements) }) ?? [] {
                rows.append(
                    columns.map { column in
                        let node = element[column.member]
                        let text = node?.string ?? node?.int.map { "\($0)" } ?? "-"
                        return TerminalText.visible(text)
                    })
            }
            return TextTable.text(of: rows)
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Try callbacks again that failed or were given up.",
            discussion: """
                EXAMPLES
                  landfall deliveries retry
                  landfall deliveries retry --rule partner
                  landfall deliveries retry --id 019a8f6e-4b1c-7c3e-9d56-0242ac120002

                What was given up is sent again, and what waits for its next attempt, for example \
                after a target was repaired, is sent at once.

                Exit code 0 when callbacks are tried again, 1 when none are.
                """)

        @Option(help: ArgumentHelp("Only this rule.", valueName: "name"))
        var rule: String?

        @Option(help: ArgumentHelp("Only the callback with this id.", valueName: "id"))
        var id: String?

        @OptionGroup var source: SourceOptions

        func validate() throws {
            try id?.requireID()
        }

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let body = try await source.runningServer().answer(
                    .post, "/api/v1/deliveries/retry", [("rule", rule), ("id", id)])
                let count = (try? JSONDocument(parsing: body).root)?["retried"]?.int
                guard let count else { throw CommandFailure("The response can't be read.") }
                if source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else {
                    try Console.print("\(count.counted("callback")) tried again.")
                }
                return count > 0 ? .success : Exit.no
            }
        }
    }
}
