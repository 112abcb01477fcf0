// The failure of a command about link files. Unlike in other commands, an unreadable file is bad
// usage (exit code 2), because the exit codes 1 and 5 are results.

import ArgumentParser
import JSON

/// The failure of a command about link files.
struct AssociationFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// A text that is not valid JSON.
    init(_ fault: JSONFault, in path: String) {
        let hint = fault.hint.map { "; \($0)" } ?? ""
        message =
            "\(path), line \(fault.line), column \(fault.column): expected \(fault.expected), found "
            + "\(fault.found)\(hint)"
    }

    /// Runs a command; reports an error as its exit code.
    static func run(
        asJSON isJSON: Bool, _ body: () async throws -> ExitCode
    ) async throws {
        let exitCode: ExitCode
        do {
            exitCode = try await body()
        } catch let failure as AssociationFailure {
            exitCode = Exit.badUsage
            try failure.printReport(asJSON: isJSON)
        }
        if exitCode != .success { throw exitCode }
    }

    private func printReport(asJSON isJSON: Bool) throws {
        guard isJSON else { return Console.printError(message) }
        try Console.print(
            JSONWriter.text { json in
                json.object("error") { $0.member("message", message) }
            })
    }
}
