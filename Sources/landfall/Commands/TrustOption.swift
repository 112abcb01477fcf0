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
    func certificates() throws(CommandFailure) -> [UInt8]? {
        do throws(FileError) {
            return try ca.map { path throws(FileError) in try Folder.content(of: path) }
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// The file's content, for commands that have nothing to print but the error.
    func authorities() throws -> [UInt8]? {
        do throws(CommandFailure) {
            return try certificates()
        } catch {
            error.report(asJSON: false)
            throw error.exitCode
        }
    }
}
