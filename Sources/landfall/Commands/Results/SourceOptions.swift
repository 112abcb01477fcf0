// `--data`, `--server` and related options: which source a command uses, and how it ends.

import ArgumentParser
import Files
import Foundation
import ProgramLog
import ResultStore
import Settings

/// The options of all commands about results.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that keeps the results; the configured one otherwise. A server that runs "
                + "on it is asked, except by verify and reindex.",
            valueName: "folder"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A running server to use instead, such as http://127.0.0.1:8080; LANDFALL_SERVER "
                + "otherwise.",
            valueName: "url"))
    var server: String?

    @OptionGroup var access: ServerAccessOptions

    @OptionGroup var file: ConfigOption

    @OptionGroup var format: JSONOption

    var json: Bool { format.json }

    func validate() throws {
        let texts = [
            ("--data", data), ("--server", server), ("--token", access.token),
        ]
        for (name, value) in texts where value?.isEmpty == true {
            throw ValidationError("\(name) must not be empty.")
        }
        if server != nil, data != nil {
            throw ValidationError("Name a folder with --data or a server with --server, not both.")
        }
        try server?.requireServer("--server")
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
        switch try open(makingFolder: makesFolder) {
        case .server(let source): return try await Self.use(source, work)
        case .store(let store):
            return try await Self.use(FolderSource(store, log: LogSetup.ofCommands), work)
        }
    }

    private static func use(
        _ source: any ResultSource,
        _ work: (any ResultSource) async throws(CommandFailure) -> ExitCode
    ) async throws(CommandFailure) -> ExitCode {
        let result: Result<ExitCode, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await work(source))
        } catch {
            result = .failure(error)
        }
        await source.close()
        return try result.get()
    }

    /// Runs `work`, and exits with its code.
    func end(_ work: () async throws(CommandFailure) -> ExitCode) async throws {
        let code = try await work()
        if code != .success { throw code }
    }

    // MARK: Opening

    /// What a command works with.
    enum Opened {
        /// A server: the named one, or the one that runs on the folder.
        case server(ServerSource)
        /// The store of the folder.
        case store(ResultStore)
    }

    /// The server that an option or the environment names; options win.
    func namedServer() throws(CommandFailure) -> String? {
        if server != nil || data != nil || file.config != nil { return server }
        return try KnownServer.named(nil)
    }

    /// Opens the named server, the folder, or the server that runs on the folder.
    ///
    /// - Parameter makesFolder: whether to create a missing folder.
    func open(makingFolder makesFolder: Bool = false) throws(CommandFailure) -> Opened {
        if let source = try namedSource() { return .server(source) }
        let configuration = try loadConfiguration()
        switch try store(configuration, makesFolder, rebuilds: false) {
        case .success(let store): return .store(store)
        case .failure(let error): return .server(try source(of: configuration, after: error))
        }
    }

    /// The named server, or the one that runs on the folder: also one whose results are in a
    /// database.
    ///
    /// Throws if none runs there.
    func runningServer() throws(CommandFailure) -> ServerSource {
        if let source = try namedSource() { return source }
        let configuration = try loadConfiguration()
        let folder = configuration.dataFolder
        if FileManager.default.fileExists(atPath: folder + "/LOCK") {
            do throws(StoreError) {
                try FolderLock(folder).unlock()
            } catch {
                return try source(of: configuration, after: error)
            }
        } else if configuration.database == nil {
            try Self.requireFolder(folder)
        }
        throw CommandFailure(
            "No server runs on \(folder): start \"landfall serve\", or name one with --server URL.")
    }

    /// The server that an option or the environment names.
    private func namedSource() throws(CommandFailure) -> ServerSource? {
        guard let server = try namedServer() else { return nil }
        return ServerSource(
            server, token: try KnownServer.token(access.token),
            trusting: try access.trust.authorities())
    }

    /// The server that has locked the folder.
    ///
    /// Throws if no server is named in `error`, which opening or locking the folder has thrown.
    private func source(
        of configuration: Configuration, after error: StoreError
    ) throws(CommandFailure) -> ServerSource {
        guard case .locked(_, _, let addresses) = error, let address = addresses.first else {
            throw Self.failure(error)
        }
        return ServerSource(
            address, token: access.token ?? configuration.token,
            trusting: try access.trust.authorities())
    }

    /// Opens the store of the folder, and rebuilds its index.
    func rebuiltStore() throws(CommandFailure) -> ResultStore {
        switch try store(try loadConfiguration(), false, rebuilds: true) {
        case .success(let store): return store
        case .failure(let error): throw Self.failure(error)
        }
    }

    /// Opens the store, with a progress bar while the index catches up.
    ///
    /// Throws if the folder is missing.
    private func store(
        _ configuration: Configuration, _ makesFolder: Bool, rebuilds: Bool
    ) throws(CommandFailure) -> Result<ResultStore, StoreError> {
        NewFiles.keepPrivate()
        if !makesFolder, configuration.database == nil {
            try Self.requireFolder(configuration.dataFolder)
        }
        let progress = ProgressLine("indexing results")
        defer { progress.end() }
        do throws(StoreError) {
            let store = try configuration.openStore(
                serves: false, rebuilds: rebuilds, onEvent: { $0.handle(LogSetup.ofCommands) },
                onProgress: { progress.show($0, of: $1) })
            store.recovery.logLosses(to: LogSetup.ofCommands)
            return .success(store)
        } catch {
            return .failure(error)
        }
    }

    private static func failure(_ error: StoreError) -> CommandFailure {
        guard case .locked(let folder, let process, let addresses) = error else {
            return CommandFailure("The store can't be opened: \(error).")
        }
        return CommandFailure(
            addresses.isEmpty
                ? "\(folder) is in use by process \(process), which names no server: it may be "
                    + "starting, or be another command. Try again, or name a server with --server."
                : "\(folder) is in use by the server at \(addresses[0]), process \(process): stop "
                    + "it first.")
    }

    /// Whether results are in a database.
    func isDatabase() throws(CommandFailure) -> Bool { try loadConfiguration().database != nil }

    /// The data folder, for reading without opening the store.
    func existingFolder() throws(CommandFailure) -> String {
        let folder = try loadConfiguration().dataFolder
        try Self.requireFolder(folder)
        return folder
    }

    private static func requireFolder(_ folder: String) throws(CommandFailure) {
        do throws(FileError) {
            _ = try Folder.list(folder + "/results")
        } catch {
            if error.isForbidden { throw CommandFailure("\(error)") }
            throw CommandFailure(
                Folder.isFolder(folder)
                    ? "\(folder) is not a data folder: there is no folder \"results\" in it."
                    : "There is no folder \(folder): start \"landfall serve\" here, or name the "
                        + "results with --data FOLDER or --server URL.")
        }
    }

    /// The folder's configuration, with the folder of `--data`.
    func loadConfiguration() throws(CommandFailure) -> Configuration {
        do throws(ConfigurationError) {
            var configuration = try file.load()
            configuration.replace(\.dataFolder, "data", by: "--data", with: data)
            // A folder that is named is the place of the results.
            if data != nil { configuration.database = nil }
            return configuration
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension String {
    /// Throws unless an argument is the id of a record, such as a result.
    func requireID(of kind: String = "a result") throws(ValidationError) {
        if RecordID(self) == nil {
            throw ValidationError("\(self) is not the id of \(kind), which has 36 characters.")
        }
    }
}
