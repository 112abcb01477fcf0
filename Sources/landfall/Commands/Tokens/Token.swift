// `landfall token`: creates and inspects Rezolve tokens.

import ArgumentParser

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make and explain Rezolve's registration and login tokens.",
        subcommands: [TokenInspect.self, TokenMint.self])
}
