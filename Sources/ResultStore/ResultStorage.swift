// What a store needs of the place that keeps its records: files (`FileStorage`), or a database in a
// target of its own. Everything else is `ResultStore`'s, once for all of them.
//
// Invariant: a query sees everything that was acknowledged before it was asked, whichever way
// its records are kept.

/// Where a record's line is.
package struct ResultLocation: Sendable, Equatable {
    /// The record's position in the order of receipt; see `Place`.
    package let place: Int64
    /// The record's `seq`.
    package let sequence: Int
    /// Bytes of the line, without its newline.
    let size: Int
    /// The value of the field by which the query orders.
    package let value: FieldValue?
    /// The location in the files; nil in a database.
    let inFiles: ResultIndex.Location?
    /// The number of the last erasure before the files' index was asked.
    let lastErasure: Int
    /// Whether a record in a database was decoded again; of one in files, only the line says so.
    package let isDecodedAgain: Bool

    init(
        place: Int64, sequence: Int, size: Int, value: FieldValue?,
        inFiles: ResultIndex.Location?, lastErasure: Int = 0, isDecodedAgain: Bool = false
    ) {
        self.place = place
        self.sequence = sequence
        self.size = size
        self.value = value
        self.inFiles = inFiles
        self.lastErasure = lastErasure
        self.isDecodedAgain = isDecodedAgain
    }

    /// Makes the location of a line in a database.
    package init(
        place: Int64, sequence: Int, size: Int, value: FieldValue?, isDecodedAgain: Bool = false
    ) {
        self.init(
            place: place, sequence: sequence, size: size, value: value, inFiles: nil,
            isDecodedAgain: isDecodedAgain)
    }
}

/// What programs that share a store have done to flows.
package struct FlowNews: Sendable {
    /// The number up to which everything is known; lower than the number before if the store lacks
    /// what had that number.
    package let through: Int
    /// Whether nothing more was there; if not, `through` is higher than the number before.
    package let isWhole: Bool
    /// Launches, and callbacks that belong to a flow, in the order of `seq`.
    ///
    /// Those that were erased since are left out.
    package let lines: [StoredLine]
    /// Inboxes that were erased.
    package let erasedInboxes: [String]
    /// Records that were erased one by one.
    package let erasedRecords: [RecordID]
    /// How often the store was found to lack what was known, so that its numbers were given again.
    package let retreats: Int

    package init(
        through: Int, isWhole: Bool, lines: [StoredLine], erasedInboxes: [String],
        erasedRecords: [RecordID], retreats: Int
    ) {
        self.through = through
        self.isWhole = isWhole
        self.lines = lines
        self.erasedInboxes = erasedInboxes
        self.erasedRecords = erasedRecords
        self.retreats = retreats
    }
}

/// Keeps records, and answers queries about them.
package protocol ResultStorage: Sendable {
    /// Stores a record; returns when it is durable. See `ResultStore.append`.
    func append(_ record: NewRecord) async throws(StoreError) -> Receipt

    /// Stores records in their order; returns when all are durable.
    func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt]

    /// Stores the records whose ids are not there yet; returns their number. See
    /// `ResultStore.appendMissing`.
    func appendMissing(_ records: [NewRecord]) async throws(StoreError) -> Int

    /// Stores lines of another store; returns their number. See `ResultStore.copy`.
    func copy(
        _ lines: [StoredLine], keepingNumbers keepsNumbers: Bool
    ) async throws(StoreError) -> Int

    /// Erases a result; false if the id is unknown. See `ResultStore.erase`.
    func erase(_ id: RecordID) async throws(StoreError) -> Bool

    /// Erases an inbox; returns the number of its results. See `ResultStore.erase`.
    func erase(inbox name: String) async throws(StoreError) -> Int

    /// Whether anything may have been erased after a number; in files, since they were opened.
    func hasErased(after sequence: Int) async throws(StoreError) -> Bool

    /// The number of the last record or erasure that is durable, whichever program stored it.
    func newestSequence() async throws(StoreError) -> Int

    /// Up to `limit` records after `cursor`, in the order of the query.
    func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> [ResultLocation]

    /// The same, and the number of all records that match the query; a lower bound if counting
    /// takes too long.
    func countedLocations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> (locations: [ResultLocation], total: ResultTotal)

    /// Where a record is; nil if there is no record with that id.
    func location(of id: RecordID) async throws(StoreError) -> ResultLocation?

    /// Records that an earlier request with this idempotency key may have created, by the key's
    /// hash; latest first.
    func locations(
        idempotency hash: Int64, limit: Int
    ) async throws(StoreError) -> [ResultLocation]

    /// Reads lines, in the order of their locations; what was erased since is left out, what can't
    /// be read is in `damage`.
    func lines(
        at locations: [ResultLocation]
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError])

    /// Whether a record was decoded again, so that its line isn't its first one.
    ///
    /// O(1): reads the beginning of the line at most, unless the line has moved since the lookup.
    func isDecodedAgain(_ location: ResultLocation) async throws(StoreError) -> Bool

    /// Inboxes with records of some kinds, by name, starting after `name`.
    func inboxes(
        of kinds: [RecordKind], after name: String?, limit: Int
    ) async throws(StoreError) -> [InboxSummary]

    /// The flows that records belong to, each once, in descending order of their names.
    func flows(before name: String?, limit: Int) async throws(StoreError) -> [String]

    /// The number of records by facet, largest first.
    func counts() async throws(StoreError) -> [ResultCount]

    /// What others may have done to open flows since a number; nil if only this program stores.
    func flowNews(after sequence: Int) async throws(StoreError) -> FlowNews?

    /// Names the addresses of this process's server to other programs of the machine.
    func announce(addresses: [String])

    /// The current status.
    var status: StoreStatus { get }

    /// Bytes of all records as they are kept.
    func storedBytes() async throws(StoreError) -> Int64

    /// The files in which damage was found, by their paths in the data folder, sorted; none in a
    /// database.
    func damagedFiles() async throws(StoreError) -> [String]

    /// Reads everything and reports what is wrong.
    func verify() async throws(StoreError) -> VerificationReport

    /// Starts the regular maintenance in the background.
    func startMaintenance(onReport: @escaping @Sendable (MaintenanceReport) -> Void)

    /// Does all maintenance that is due; returns when that is done.
    func compact() async throws(StoreError) -> MaintenanceReport

    /// Stores what was already submitted, and releases what the storage holds.
    func close() async
}
