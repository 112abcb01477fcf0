// The command line: `landfall COMMAND`. Each command has its own file in `Commands`.

import ArgumentParser
import Foundation
import Sockets
import Text
import Vendors

/// Exit codes, the same for every command.
enum Exit {
    /// The result is negative.
    static let no = ExitCode(1)
    /// The arguments are invalid.
    static let badUsage = ExitCode(2)
    /// The environment prevents it: configuration, port, folder, server.
    static let environment = ExitCode(3)
    /// The disk can no longer be trusted.
    static let syncFailed = ExitCode(4)
    /// A rule leaves the link to the browser; only of `association explain`.
    static let excluded = ExitCode(5)
}

@main
struct Landfall: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "landfall",
        abstract: "The place where app-to-app links land.",
        discussion: """
            Hosts link files, receives the callbacks of \(Vendor.apps), keeps all of them in \
            JSON files or a database, answers queries about them, and emulates the vendors' apps.

            DOCUMENTS
              In Documentation of a checkout, /usr/share/doc/landfall of a package or
              image, /usr/local/share/doc/landfall after make install:
              GettingStarted.md   the first hour
              Vendors.md          what each vendor sends, and how it is decoded
              API.md              routes and replies
              Queries.md          searching, waiting, streaming
              Certificate.md      checking a partner's endpoint, in CI too
              LinkFiles.md        why a link opens the app or the browser
              Rezolve.md          the sandbox of Rezolve's servers
              Forwarding.md       sending callbacks on to back ends
              Agents.md           the tools for AI agents
              Operations.md       configuration, TLS, retention, limits
              SeveralMachines.md  results in a PostgreSQL that several servers share
              Privacy.md          what is stored, redacted and masked
              Security.md         threats and defences

            EXIT CODES
              0  yes, or done
              1  no
              2  bad usage
              3  the environment prevents it: configuration, folder, port, server
              4  the disk can't be trusted (serve)
              5  a rule excludes the link (association explain)
            """,
        version: version,
        subcommands: [
            Serve.self, Results.self, DeliveryCommands.self, Trip.self, TestFlows.self,
            Certify.self, Send.self, Decode.self, LaunchCommand.self,
            VendorCommands.self, Association.self, Pattern.self, Token.self, Certs.self,
            StoreCommands.self, ConfigCommands.self, Health.self, Doctor.self,
        ])

    /// The subcommand that was probably meant, as a sentence; nil if the arguments name known ones.
    static func suggestion(for arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Landfall.self
        var path = "landfall"
        for argument in arguments {
            let names = command.configuration.subcommands.map { ($0._commandName, $0) }
            if names.isEmpty || argument.hasPrefix("-") { return nil }
            guard let next = names.first(where: { $0.0 == argument }) else {
                // The argument is one of the default command.
                if command.configuration.defaultSubcommand != nil { return nil }
                let nearest = Spelling.nearest(to: argument, among: names.map(\.0))
                return nearest.map { "Did you mean: \(path) \($0)" }
                    ?? "Commands of \(path): \(names.map(\.0).joined(separator: ", "))"
            }
            command = next.1
            path += " \(argument)"
        }
        return nil
    }

    /// Decides what signals do until the server runs, before anything that takes time.
    private static func prepareSignals() {
        // That of a terminal depends on the configuration.
        if isatty(STDIN_FILENO) != 1 { signal(SIGHUP, SIG_IGN) }
        // For process 1, as in a container, the kernel drops signals that have no handler.
        guard getpid() == 1 else { return }
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    }

    /// Runs the command that the arguments name; bad usage exits with 2, as in other tools.
    static func main() async {
        StandardStream.openMissing()
        // Swift reads them from /proc.
        guard !CommandLine.arguments.isEmpty else {
            StandardStream.error.write(Array("landfall: Mount /proc to run commands.\n".utf8))
            Foundation.exit(Exit.environment.rawValue)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "serve" { prepareSignals() }
        var running: (any ParsableCommand.Type)?
        do {
            // ArgumentParser would show the help of the last command that it knows, and end with 0.
            let topic = arguments.drop { $0 == "help" }
            if topic.count < arguments.count, let sentence = suggestion(for: Array(topic)) {
                throw CommandFailure(usage: sentence)
            }
            var command = try parseAsRoot()
            running = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.report(asJSON: arguments.contains("--json"))
            Foundation.exit(failure.exitCode.rawValue)
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            // The parser knows the usage of commands whose arguments it refused itself.
            let message = running.map { "Error: \(error)\nUsage: \(usageString(for: $0))" }
            let lines = [message ?? fullMessage(for: error), suggestion(for: arguments)]
            let text = lines.compactMap(\.self).joined(separator: "\n")
            StandardStream.error.write(Array((text + "\n").utf8))
            if arguments.contains("--json") {
                let failure = CommandFailure(usage: Self.message(for: error))
                try? Console.write(failure.document + [UInt8(ascii: "\n")])
            }
            Foundation.exit(Exit.badUsage.rawValue)
        }
    }
}
