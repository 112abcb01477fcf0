// `landfall token`: Rezolve's tokens, made and explained.

import ArgumentParser

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make and explain Rezolve's registration and login tokens.",
        subcommands: [TokenInspect.self, TokenMint.self])
}
