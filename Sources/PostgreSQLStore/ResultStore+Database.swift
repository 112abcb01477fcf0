// Opens the store in a database.

import ResultStore

extension ResultStore {
    /// Opens the store in a database; makes the tables if it is empty.
    ///
    /// Blocks. Throws `database`.
    ///
    /// - Parameters:
    ///   - settings: of these, only retention and the pause before erased rows are removed apply.
    ///   - spoolFolder: where records wait while the database can't be used; nil to refuse them.
    ///   - onEvent: called with later events, on any thread; must not wait.
    ///   - onCommit: called with every batch that this instance has stored, on the writer's thread;
    ///     must not wait.
    package convenience init(
        database address: DatabaseAddress, catalog: FieldCatalog,
        settings: StoreSettings = StoreSettings(), spoolFolder: String? = nil,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        onCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in }
    ) throws(StoreError) {
        var feed: Feed?
        let storage = try PostgreSQLStorage(
            address, catalog: catalog, settings: settings, spoolFolder: spoolFolder,
            onEvent: onEvent, onCommit: onCommit
        ) {
            let made = Feed(catalog: catalog, lastSequence: $0)
            feed = made
            return made
        }
        guard let feed else { throw .closed }
        self.init(storage, feed: feed, catalog: catalog)
    }
}
