// `landfall results`: received results, from a folder or a running server.

import ArgumentParser

struct Results: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with stored results: list, get, wait, export, import, adopt, erase.",
        discussion: """
            Every command reads the configured data folder, another one (--data FOLDER), or asks a \
            running server (--server URL). One process at a time can open a folder: while a server \
            runs, ask the server.

            Exit codes: 0 yes or done, 1 no, 2 bad usage, 3 the environment does not allow it.
            """,
        subcommands: [
            List.self, Get.self, Wait.self, Export.self, Import.self, Adopt.self, Erase.self,
            Compact.self,
            Verify.self, Reindex.self, Redecode.self,
        ])
}
