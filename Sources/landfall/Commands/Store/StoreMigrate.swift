// `landfall store migrate`: makes what the tables of the configured database lack.

import ArgumentParser
import Foundation
import JSON
import PostgreSQLStore
import ResultAPI
import ResultStore
import Settings

extension StoreCommands {
    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the tables and columns that the configured database lacks.",
            discussion: """
                A server makes the tables of an empty database itself. Run this before servers of a \
                newer program start: theirs and the older ones then work side by side. Only one \
                program migrates at a time.

                EXAMPLES
                  landfall store migrate --dry-run
                  LANDFALL_STORE=postgres://db.example.com/landfall landfall store migrate

                Exit code 0 when it is done or nothing is missing; 1 from --dry-run when something \
                is missing; 3 when the database can't be used.
                """)

        @OptionGroup var file: ConfigOption

        @Flag(help: "Print the statements, and change nothing.")
        var dryRun = false

        @OptionGroup var format: JSONOption

        func run() throws {
            let code = try migrate()
            if code != .success { throw code }
        }

        private func migrate() throws(CommandFailure) -> ExitCode {
            let configuration: Configuration
            do throws(ConfigurationError) {
                configuration = try file.load()
            } catch {
                throw CommandFailure("\(error)")
            }
            guard let address = configuration.database else {
                throw CommandFailure(
                    "Results are in files, which need no tables: name a database by results.store "
                        + "or LANDFALL_STORE.")
            }
            let schema = DatabaseSchema(address, catalog: .all)
            let changes: [DatabaseSchema.Change]
            do throws(StoreError) {
                changes = dryRun ? try schema.missing() : try schema.migrate()
            } catch {
                throw CommandFailure("The tables can't be made: \(error).")
            }
            try Console.print(format.json ? document(changes) : text(changes))
            return dryRun && !changes.isEmpty ? Exit.no : .success
        }

        private func text(_ changes: [DatabaseSchema.Change]) -> String {
            if changes.isEmpty { return "Nothing is missing." }
            guard dryRun else {
                return changes.map { "Made \($0.summary)." }.joined(separator: "\n")
            }
            return changes.map { change in
                "-- \(change.summary)\n"
                    + change.statements.map { $0 + ";" }.joined(separator: "\n")
            }.joined(separator: "\n\n")
        }

        private func document(_ changes: [DatabaseSchema.Change]) -> String {
            JSONWriter.text { json in
                json.member("changed", !dryRun && !changes.isEmpty)
                json.objects("changes", of: changes) { json, change in
                    json.member("summary", change.summary)
                    json.member("statements", change.statements)
                }
            }
        }
    }
}
