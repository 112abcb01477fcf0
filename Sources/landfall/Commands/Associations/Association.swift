// `landfall association`: link files of Apple and Android, before anyone's phone has seen them.

import ArgumentParser

struct Association: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain, check and compare apple-app-site-association and assetlinks.json files.",
        subcommands: [Explain.self, Lint.self])
}
