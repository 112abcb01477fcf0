// A PostgreSQL of the tests' own, which `Tests/postgresql/start` starts and stops. Each folder has a
// schema of its own.

import Foundation

@testable import PostgreSQLStore
@testable import ResultStore

/// A running PostgreSQL.
final class TestDatabase: Sendable {
    /// Started by the first test that asks for it.
    static let shared = Result { try TestDatabase() }

    let folder: String

    struct Failure: Error {
        let reason: String
    }

    /// Starts a server.
    init(_ settings: [String] = []) throws {
        folder = NSTemporaryDirectory() + "landfall-pg-\(UUID().uuidString.prefix(8))"
        let own = ["fsync=off", "max_connections=500"]
        let process = "\(ProcessInfo.processInfo.processIdentifier)"
        guard try Self.run("start", [folder, process] + own + settings) == 0 else {
            throw Failure(reason: "PostgreSQL does not start in \(folder)")
        }
    }

    /// Stops or starts the server.
    func control(_ action: String...) throws {
        guard try Self.run("control", [folder] + action) == 0 else {
            throw Failure(reason: "PostgreSQL does not \(action[0]) in \(folder)")
        }
    }

    /// Runs a script of `Tests/postgresql`; returns its exit code.
    private static func run(_ script: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL =
            URL(filePath: #filePath)
            .appending(components: "..", "..", "..", "postgresql", script).standardizedFileURL
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The address of a folder's schema, which is the same each time.
    func address(
        of folder: TemporaryFolder, database: String = "postgres"
    ) -> DatabaseAddress {
        let name = URL(filePath: folder.path).lastPathComponent.lowercased()
        return DatabaseAddress(
            "host=\(self.folder) user=postgres dbname=\(database)",
            schema: name.replacing("-", with: "_"))
    }
}

extension TestDatabase {
    /// A connection for what a test does beside the stores of a folder.
    func connection(
        to folder: TemporaryFolder, database: String = "postgres"
    ) throws -> Connection {
        let address = address(of: folder, database: database)
        let connection = try Session(address: address).open(statementMilliseconds: 30_000)
        // Unlike a store, a test may do something else for long in a transaction.
        try connection.run("SET idle_in_transaction_session_timeout = 0")
        return connection
    }

    /// Makes a database; returns its name, which no other has.
    func make(_ options: String = "") throws -> String {
        let name = "own_\(UUID().uuidString.prefix(8).lowercased())"
        try connection(to: TemporaryFolder()).run("CREATE DATABASE \(name) \(options)")
        return name
    }

    /// Opens a store of a folder's schema.
    func store(
        _ folder: TemporaryFolder, catalog: FieldCatalog = sampleCatalog,
        settings: StoreSettings = StoreSettings(), database: String = "postgres"
    ) throws -> ResultStore {
        try ResultStore(
            database: address(of: folder, database: database), catalog: catalog,
            settings: settings)
    }
}

extension Connection {
    /// Executes one statement; its values have to be cast to `bigint` or `text`.
    @discardableResult
    func run(_ sql: String, _ parameters: [Parameter] = []) throws -> Reply {
        try run(Statement(sql: sql, parameters: parameters), within: 30_000)
    }
}

/// Where a test's store keeps its records.
enum StoreKind: String, CaseIterable, Sendable {
    case files, database

    /// Opens the store of a folder: of its files, or of the schema that belongs to it.
    func open(
        _ folder: TemporaryFolder, catalog: FieldCatalog = sampleCatalog,
        settings: StoreSettings = StoreSettings()
    ) throws -> ResultStore {
        switch self {
        case .files: try ResultStore(folder: folder.path, catalog: catalog, settings: settings)
        case .database:
            try TestDatabase.shared.get().store(folder, catalog: catalog, settings: settings)
        }
    }

    /// The same, with an index that is rebuilt from the files.
    func openWithNewIndex(
        _ folder: TemporaryFolder, settings: StoreSettings = StoreSettings()
    ) throws -> ResultStore {
        if self == .files { try folder.remove("index.sqlite") }
        return try open(folder, settings: settings)
    }
}
