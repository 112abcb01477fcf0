// `landfall association`: checks link files of Apple and Android before devices fetch them.

import ArgumentParser

struct Association: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain and compare Apple's link files; lint Apple's and Android's.",
        subcommands: [Explain.self, Lint.self, Diff.self, Domains.self])
}
