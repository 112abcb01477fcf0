// A PostgreSQL of the tests' own, which `Tests/postgresql/start` starts and stops. Each store gets a
// schema of its own.

import Foundation
import PostgreSQLStore
import Synchronization

@testable import ResultStore

/// A running PostgreSQL.
final class TestDatabase: Sendable {
    /// Started by the first test that asks for it.
    static let shared = Result { try TestDatabase() }

    let folder: String
    private let schemas = Mutex(0)

    struct Failure: Error {
        let reason: String
    }

    private init() throws {
        folder = NSTemporaryDirectory() + "landfall-pg-\(UUID().uuidString.prefix(8))"
        let process = Process()
        process.executableURL =
            URL(filePath: #filePath)
            .appending(components: "..", "..", "..", "postgresql", "start").standardizedFileURL
        process.arguments = [
            folder, "\(ProcessInfo.processInfo.processIdentifier)", "fsync=off",
            "max_connections=500",
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(reason: "PostgreSQL does not start in \(folder)")
        }
    }

    /// An address with a schema that nothing else uses.
    func address() -> DatabaseAddress {
        let number = schemas.withLock { number in
            number += 1
            return number
        }
        return DatabaseAddress(
            "host=\(folder) user=postgres dbname=postgres", schema: "test\(number)")
    }
}

/// Where a test's store keeps its records.
enum StoreKind: String, CaseIterable, Sendable {
    case files, database

    /// Opens an empty store; `folder` is for one in files.
    func open(
        _ folder: TemporaryFolder, catalog: FieldCatalog = sampleCatalog
    ) throws -> ResultStore {
        switch self {
        case .files: try ResultStore(folder: folder.path, catalog: catalog)
        case .database:
            try ResultStore(
                database: TestDatabase.shared.get().address(), catalog: catalog)
        }
    }
}
