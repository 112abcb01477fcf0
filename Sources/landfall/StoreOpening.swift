// Opens the store that a configuration names: files of the data folder, or a database.

import Foundation
import PostgreSQLStore
import ResultAPI
import ResultStore
import Settings

/// The files that commands create.
enum NewFiles {
    /// Keeps them private to the owner and its group.
    static func keepPrivate() { umask(0o027) }
}

extension Configuration {
    /// Opens the store.
    ///
    /// Blocks. Throws as `ResultStore.init` does.
    ///
    /// - Parameters:
    ///   - serves: whether callbacks will be stored, so that a spool or a reserve is needed, and the
    ///     index of files is not waited for if it lacks much.
    ///   - rebuilds: whether to rebuild the index of files, or the columns of the database.
    ///   - onProgress: called with the number of bytes, or of records, so far, and the total.
    func openStore(
        serves: Bool, rebuilds: Bool = false, onEvent: @escaping @Sendable (StoreEvent) -> Void,
        onCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in },
        onProgress: @escaping (_ done: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> ResultStore {
        guard let database else {
            var settings = store
            if serves {
                settings.reserveBytes = StoreSettings.servedReserveBytes
                settings.awaitedIndexBytes = StoreSettings.servedAwaitedIndexBytes
            }
            return try ResultStore(
                folder: dataFolder, catalog: .all, settings: settings, rebuilds: rebuilds,
                onEvent: onEvent, onCommit: onCommit, onProgress: onProgress)
        }
        if serves { try makeDataFolder() }
        return try ResultStore(
            database: database, catalog: .all, settings: store,
            dataFolder: serves ? dataFolder : nil,
            spoolFolder: serves ? dataFolder + "/spool" : nil, spools: onOutage == .spool,
            rebuilding: rebuilds ? onProgress : nil, onEvent: onEvent, onCommit: onCommit)
    }

    /// Makes the folder of what stays on this machine: the spool, and the handover's socket.
    private func makeDataFolder() throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: dataFolder, withIntermediateDirectories: true)
        } catch {
            throw .file(
                path: dataFolder, operation: "create", reason: error.localizedDescription)
        }
    }
}
