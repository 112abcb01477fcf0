// `landfall vendors`: commands about the vendors' contracts.

import ArgumentParser

struct VendorCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vendors", abstract: "Work with the vendors' contracts.",
        subcommands: [VendorsDrift.self])
}
