// `landfall store`: the place where results are kept, files or a database, as a whole.

import ArgumentParser

struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make the tables of a database, and copy results between files and databases.",
        subcommands: [Migrate.self, Copy.self])
}
