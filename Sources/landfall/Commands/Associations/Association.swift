// `landfall association`: checks link files of Apple and Android before devices fetch them.

import ArgumentParser

struct Association: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain, lint and compare the link files of Apple and Android.",
        subcommands: [Explain.self, Lint.self, Diff.self, Domains.self])
}
