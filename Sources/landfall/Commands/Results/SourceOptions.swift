// `--data`, `--server` and related options: which source a command uses, and how it ends.

import ArgumentParser
import Files
import Foundation
import HTTP1
import Logging
import ResultStore
import Settings

/// The options of all commands about results.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that keeps the results, while no server runs on it; the configured one "
                + "otherwise.",
            valueName: "folder"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A running server to use instead, such as http://127.0.0.1:8080.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp("The server's token; LANDFALL_TOKEN otherwise.", valueName: "text"))
    var token: String?

    @OptionGroup var trust: TrustOption

    @Option(
        help: ArgumentHelp(
            "The configuration file that names the folder (default: \(Self.defaultFile)).",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(help: "Print one JSON document and nothing else.")
    var json = false

    private static let defaultFile = "Config/landfall.yaml"

    func validate() throws {
        let texts = [
            ("--data", data), ("--server", server), ("--token", token), ("--config", config),
        ]
        for (name, value) in texts where value?.isEmpty == true {
            throw ValidationError("\(name) must not be empty.")
        }
        if server != nil, data != nil {
            throw ValidationError("Name a folder with --data or a server with --server, not both.")
        }
    }

    /// Opens the source, runs `work`, and exits with its code.
    func run(
        _ work: (any ResultSource) async throws(CommandFailure) -> ExitCode
    ) async throws {
        try await end { () async throws(CommandFailure) in
            try await ask(work)
        }
    }

    /// Opens the source, runs `work`, and closes the source.
    ///
    /// - Parameter makesFolder: whether to create a missing folder.
    func ask(
        makingFolder makesFolder: Bool = false,
        _ work: (any ResultSource) async throws(CommandFailure) -> ExitCode
    ) async throws(CommandFailure) -> ExitCode {
        let source = try open(makesFolder)
        let result: Result<ExitCode, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await work(source))
        } catch {
            result = .failure(error)
        }
        await source.close()
        return try result.get()
    }

    /// Runs `work`, reports its failure, and exits with its code.
    func end(_ work: () async throws(CommandFailure) -> ExitCode) async throws {
        let code: ExitCode
        do throws(CommandFailure) {
            code = try await work()
        } catch {
            Console.printError(error.description)
            if json { try? Console.write(error.document + [UInt8(ascii: "\n")]) }
            throw error.exitCode
        }
        if code != .success { throw code }
    }

    // MARK: Opening

    private func open(_ makesFolder: Bool) throws(CommandFailure) -> any ResultSource {
        guard let server else {
            return FolderSource(try openStore(makingFolder: makesFolder), log: Self.log)
        }
        let token = token ?? ProcessInfo.processInfo.environment["LANDFALL_TOKEN"]
        return ServerSource(server, token: token, trusting: try authorities())
    }

    private func authorities() throws(CommandFailure) -> [UInt8]? {
        do throws(FileError) {
            return try trust.ca.map { path throws(FileError) in
                try Folder.content(of: path)
            }
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Opens the store of the folder, with a progress bar while the index catches up.
    ///
    /// - Parameter rebuilds: whether to rebuild the index.
    func openStore(
        makingFolder makesFolder: Bool = false, rebuilds: Bool = false
    ) throws(CommandFailure) -> ResultStore {
        // New files are private to the owner and its group.
        umask(0o027)
        let configuration = try loadConfiguration()
        let folder = configuration.dataFolder
        if !makesFolder { try Self.requireFolder(folder) }
        var progress = ProgressLine("indexing results")
        defer { progress.end() }
        do throws(StoreError) {
            return try ResultStore(
                folder: folder, catalog: .all, settings: configuration.store, rebuilds: rebuilds,
                onEvent: { $0.handle(Self.log) },
                onProgress: { progress.show($0, of: $1) })
        } catch {
            guard case .locked(_, let process) = error else {
                throw CommandFailure("The store can't be opened: \(error).")
            }
            throw CommandFailure(
                "\(folder) is in use by process \(process). Ask the server that runs there: "
                    + "--server http://127.0.0.1:\(configuration.port).")
        }
    }

    /// The data folder, for reading without opening the store.
    func existingFolder() throws(CommandFailure) -> String {
        let folder = try loadConfiguration().dataFolder
        try Self.requireFolder(folder)
        return folder
    }

    private static func requireFolder(_ folder: String) throws(CommandFailure) {
        guard Folder.isFolder(folder + "/results") else {
            throw CommandFailure(
                Folder.isFolder(folder)
                    ? "\(folder) is not a data folder: there is no folder \"results\" in it."
                    : "There is no folder \(folder).")
        }
    }

    /// The folder's configuration: the file, overridden by the environment, both by `--data`.
    func loadConfiguration() throws(CommandFailure) -> Configuration {
        let environment = ProcessInfo.processInfo.environment
        var configuration = Configuration()
        do throws(ConfigurationError) {
            let exists = FileManager.default.fileExists(atPath: config ?? Self.defaultFile)
            if config != nil || exists {
                configuration = try .load(config ?? Self.defaultFile, environment: environment)
            } else if data == nil, environment["LANDFALL_DATA"] == nil {
                throw ConfigurationError.unreadable(
                    path: Self.defaultFile,
                    reason: "there is no such file; name the results "
                        + "with --data FOLDER or --server URL")
            } else {
                try configuration.apply(environment)
            }
        } catch {
            throw CommandFailure("\(error)")
        }
        configuration.dataFolder = data ?? configuration.dataFolder
        return configuration
    }

    /// Logs damage as text.
    private static let log = Logger(label: "landfall") { _ in LogSetup.handler(.text) }
}
