// `landfall results`: received results, from a folder or a running server.

import ArgumentParser

struct Results: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with stored results: list, get, wait, export, import, adopt, erase.",
        discussion: """
            Every command reads the configured data folder, or another one (--data FOLDER). If a \
            server runs on the folder, the command asks that server. --server URL or LANDFALL_SERVER \
            names another server; LANDFALL_TOKEN or LANDFALL_TOKEN_FILE has its token.

            Exit codes: 0 yes or done, 1 no, 2 bad usage, 3 the environment prevents it.
            """,
        subcommands: [
            List.self, Get.self, Wait.self, Export.self, Import.self, Adopt.self, Erase.self,
            Compact.self,
            Verify.self, Reindex.self, Redecode.self,
        ])
}
