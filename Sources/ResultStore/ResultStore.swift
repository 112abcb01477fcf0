// The store as its users see it, whatever keeps its records (`ResultStorage`).

import Clocks
import Synchronization

/// The results of one data folder, or of one database.
package final class ResultStore: Sendable {
    /// One page of results.
    package struct Page: Sendable {
        /// In the order of the query.
        package let lines: [StoredLine]
        /// Where the next page begins; nil for the last page.
        package let next: PageCursor?
        /// Lines that were left out because their checksum is wrong.
        package let damage: [StoreError]
    }

    /// Maximum results on a page.
    package static let pageLimit = Limits.pageResults

    /// Number of results up to which the total of a list is counted.
    package static let totalLimit = Limits.countedResults

    /// Length of a list up to which it is counted completely.
    static let sliceLimit = Limits.slicedResults

    /// Bytes of lines that a subscription keeps for a client that hasn't fetched them.
    package static let subscriptionBytes = Limits.subscriptionBytes

    /// Maximum number of strays that are kept, and of their bytes.
    package static let strayLimits = (count: Limits.strays, bytes: Int(Limits.strayBytes))

    /// Maximum bytes, terms and open parentheses of a query's text.
    package static let queryLimits = (
        bytes: Limits.queryBytes, terms: Limits.queryTerms, depth: Limits.queryDepth
    )

    /// Maximum bytes of a record's words that are searched, and of one word.
    package static let wordLimits = (record: Limits.recordWordBytes, word: Limits.wordBytes)

    /// What opening found and did.
    package let recovery: RecoveryReport

    /// The fields that queries may name.
    package let catalog: FieldCatalog

    let storage: any ResultStorage
    let feed: Feed

    /// Makes a store of records that `storage` keeps.
    ///
    /// - Parameter feed: the feed to which the storage hands what becomes durable.
    package init(
        _ storage: any ResultStorage, feed: Feed, catalog: FieldCatalog,
        recovery: RecoveryReport = RecoveryReport()
    ) {
        self.storage = storage
        self.feed = feed
        self.catalog = catalog
        self.recovery = recovery
    }

    /// Opens the store in `folder`, or creates an empty one there.
    ///
    /// Blocks while the index catches up: O(bytes that it lacks), none after an orderly stop.
    ///
    /// - Parameters:
    ///   - rebuilds: whether to rebuild the index unconditionally.
    ///   - onEvent: called with later events, on any thread; must not wait.
    ///   - onCommit: called with every durable batch, on the writer's thread; must not wait.
    ///   - onProgress: called with the number of bytes indexed so far, and the total.
    ///
    /// Throws `locked`, `full`, `file`, `syncFailed` or `index`.
    package convenience init(
        folder path: String, catalog: FieldCatalog, settings: StoreSettings = StoreSettings(),
        rebuilds: Bool = false, onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        onCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in },
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws(StoreError) {
        try self.init(
            folder: StoreFolder(path), catalog: catalog, settings: settings, rebuilds: rebuilds,
            onEvent: onEvent, onCommit: onCommit, onProgress: onProgress)
    }

    convenience init(
        folder: StoreFolder, catalog: FieldCatalog, settings: StoreSettings,
        rebuilds: Bool = false, onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        onCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in },
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws(StoreError) {
        let files = try FileStorage(
            folder: folder, catalog: catalog, settings: settings, rebuilds: rebuilds,
            onEvent: onEvent, onCommit: onCommit, onProgress: onProgress)
        self.init(files, feed: files.feed, catalog: catalog, recovery: files.recovery)
    }

    /// Stores a record; returns when it is durable.
    ///
    /// Throws `full` or `file` if the record was not stored, `syncFailed` if that is unknown,
    /// `unreadable`, and `closed` after `close`.
    package func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        try await storage.append(record)
    }

    /// Results of a list from `offset` on, and the length of the list, counted up to `sliceLimit`.
    ///
    /// O(matching results): for lists that stay short, such as what one person has sent.
    package func slice(
        of query: ResultQuery, offset: Int, limit: Int
    ) async throws(StoreError) -> (lines: [StoredLine], total: Int) {
        let locations = try await storage.locations(of: query, after: nil, limit: Self.sliceLimit)
        let shown = Array(locations.dropFirst(offset).prefix(limit))
        return (try await storage.lines(at: shown).lines, locations.count)
    }

    /// The queryable facts of one line; nil if it can't be read.
    package func facts(in line: StoredLine) -> RecordFacts? {
        catalog.facts(in: line)
    }

    /// The stored line of one result; nil if the id is unknown.
    ///
    /// Throws `damaged` when its checksum is wrong.
    package func line(of id: RecordID) async throws(StoreError) -> StoredLine? {
        guard let location = try await storage.location(of: id) else { return nil }
        let (lines, damage) = try await storage.lines(at: [location])
        if let error = damage.first { throw error }
        return lines.first
    }

    /// Where the results are that earlier requests with this idempotency key may have created,
    /// newest first.
    package func outline(
        idempotencyKey key: String, inbox: String, vendor: String, limit: Int = 10
    ) async throws(StoreError) -> PageOutline {
        let hash = IdempotencyKey.hash(key, inbox: inbox, vendor: vendor)
        return PageOutline(
            locations: try await storage.locations(idempotency: hash, limit: limit), next: nil)
    }

    /// Inboxes with records of some kinds, by name.
    ///
    /// - Parameter name: the last name of the previous page; nil for the first page.
    package func inboxes(
        of kinds: [RecordKind] = RecordKind.allCases, after name: String? = nil,
        limit: Int = pageLimit
    ) async throws(StoreError) -> [InboxSummary] {
        try await storage.inboxes(of: kinds, after: name, limit: limit)
    }

    /// The flows that results belong to, each once, in descending order of their names: newest
    /// first if names are ids of version 7.
    ///
    /// - Parameter name: the last name of the previous page; nil for the first page.
    package func flows(before name: String? = nil, limit: Int) async throws(StoreError) -> [String]
    {
        try await storage.flows(before: name, limit: limit)
    }

    /// The number of records by facet, largest first.
    package func counts() async throws(StoreError) -> [ResultCount] {
        try await storage.counts()
    }

    /// What others may have done to open flows since a number; nil if only this program stores.
    package func flowNews(after sequence: Int) async throws(StoreError) -> FlowNews? {
        try await storage.flowNews(after: sequence)
    }

    /// The number of the last record or erasure that is durable, whichever program stored it.
    package func newestSequence() async throws(StoreError) -> Int {
        try await storage.newestSequence()
    }

    /// Names the addresses of this process's server in the data folder, best first.
    package func announce(addresses: [String]) {
        storage.announce(addresses: addresses)
    }

    /// The addresses that the last server of a folder has named, if it still runs or has crashed.
    ///
    /// Doesn't touch the lock; empty if there is none, or if it can't be read.
    package static func announcedAddresses(in folder: String) -> [String] {
        guard let file = try? File(reading: folder + "/LOCK"),
            let content = try? file.read(Limits.lockBytes, at: 0)
        else { return [] }
        return Holder(content).addresses
    }

    /// Stores what was already submitted, and closes the files and unlocks the folder, or closes the
    /// connections.
    package func close() async {
        await feed.close()
        await storage.close()
    }
}
