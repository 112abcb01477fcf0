// `--ca`: which authorities a command's https requests trust.

import ArgumentParser

/// The option that commands with requests share.
struct TrustOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) to trust for https instead of the system's.", valueName: "file"),
        completion: .file())
    var ca: String?

    /// The file's content; nil where none is named.
    func authorities() throws -> [UInt8]? {
        do throws(ConfigurationError) {
            return try ca.map { path throws(ConfigurationError) in try Folder.content(of: path) }
        } catch {
            Console.tell("\(error)")
            throw Exit.environment
        }
    }
}
