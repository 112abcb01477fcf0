// Opens the store in a database.

import ResultStore

extension ResultStore {
    /// Opens the store in a database; makes the tables if it is empty.
    ///
    /// If it spools, a database that was reached before may be away now: records wait for it.
    ///
    /// Blocks. Throws `database`, or `locked`.
    ///
    /// - Parameters:
    ///   - settings: of these, only retention and the pause before erased rows are removed apply.
    ///   - dataFolder: of a server, which locks it and says there at which addresses it is; nil for
    ///     other programs.
    ///   - spoolFolder: of a server; what waits there for the database is stored.
    ///   - spools: whether records wait there while the database can't be used, or are refused.
    ///   - rebuilds: called with the progress of filling all columns again from the records, in
    ///     records; nil not to do that.
    ///   - onEvent: called with later events, on any thread; must not wait.
    ///   - onCommit: called with every batch that this instance has stored, on the writer's thread;
    ///     must not wait.
    package convenience init(
        database address: DatabaseAddress, catalog: FieldCatalog,
        settings: StoreSettings = StoreSettings(), dataFolder: String? = nil,
        spoolFolder: String? = nil, spools: Bool = true,
        rebuilding rebuilds: ((_ done: Int64, _ of: Int64) -> Void)? = nil,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        onCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in }
    ) throws(StoreError) {
        let feed = Feed(catalog: catalog)
        let storage = try PostgreSQLStorage(
            address, catalog: catalog, settings: settings, dataFolder: dataFolder,
            spoolFolder: spoolFolder, spools: spools, rebuilding: rebuilds, onEvent: onEvent,
            onCommit: onCommit, feed: feed)
        var report = RecoveryReport()
        report.indexedRecords = storage.rebuiltRecords
        self.init(storage, feed: feed, catalog: catalog, recovery: report)
    }
}
