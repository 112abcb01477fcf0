// `--ca`: which authorities a command's https requests trust.

import ArgumentParser
import Files

/// The option that commands with requests share.
struct TrustOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) to trust for https instead of the system's.", valueName: "file"),
        completion: .file())
    var ca: String?

    /// The file's content; nil if none is named.
    func authorities() throws(CommandFailure) -> [UInt8]? {
        try CommandFailure.environment { try ca.map(Folder.content(of:)) }
    }
}
