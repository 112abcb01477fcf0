// `landfall results`: received results, from a folder or a running server.

import ArgumentParser

struct Results: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look at what was received: list, get, wait, export, import, adopt, erase.",
        discussion: """
            Every command asks the configured data folder, another one (--data FOLDER), or a running \
            server (--server URL). A folder can be opened by one process at a time: while a server \
            runs, ask the server.

            Exit codes: 0 yes or done, 1 no, 2 bad usage, 3 the environment does not allow it.
            """,
        subcommands: [
            List.self, Get.self, Wait.self, Export.self, Import.self, Adopt.self, Erase.self,
            Compact.self,
            Verify.self, Reindex.self, Redecode.self,
        ])
}
