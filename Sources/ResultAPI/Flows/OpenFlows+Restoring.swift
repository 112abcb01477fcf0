// Reads launches from their records, when these are stored and after a restart: then the newest
// launches in the store, and which of them have ended.

import Clocks
import JSON
import LinkPatterns
import Logging
import ResultStore
import Vendors

extension OpenFlows {
    /// Host, port and path of a web URL, and its query; nil for other URLs.
    ///
    /// The scheme's own port is omitted (RFC 3986 §6.2.3).
    package static func place(of url: LinkURL) -> (place: String, query: String)? {
        guard url.isWebLink, let host = url.host?.lowercased() else { return nil }
        let path = url.path.isEmpty ? "/" : url.path
        let usual = url.scheme?.lowercased() == "https" ? "443" : "80"
        let port = url.port.flatMap { $0 == usual ? nil : $0 } ?? ""
        return ("\(host):\(port)\(path)", url.query ?? "")
    }

    /// Remembers the launch in a record that was stored, unless it was refused.
    ///
    /// - Parameter callback: its callback, with the credentials that the record lacks.
    package func add(_ record: NewRecord, _ receipt: Receipt, callback: String?) {
        guard let flow = record.flow, let value = record.result?.root,
            var launch = Self.launch(
                flow, in: record.inbox, record.contract, value, record.diagnostics.codes),
            launch.isOpen
        else { return }
        launch.callback = callback.flatMap { Self.place(of: LinkURL($0)) }
        add(launch, at: record.receivedAt)
        noteSpooled(receipt, of: flow)
    }

    /// The launch in a stored record; nil for other records.
    package static func launch(in record: [UInt8]) -> Launch? {
        guard let root = try? JSONDocument(parsing: record).root,
            let flow = root["flow"]?.string, let inbox = root["inbox"]?.string,
            let value = root["result"]
        else { return nil }
        let codes = root["diagnostics"]?.elements.compactMap { $0["code"]?.string } ?? []
        return launch(flow, in: inbox, root["contract"]?.string, value, codes)
    }

    private static func launch(
        _ flow: String, in inbox: String, _ contract: String?, _ value: JSONNode,
        _ diagnostics: [String]
    ) -> Launch? {
        guard let contract = contract.flatMap({ Contract(rawValue: $0) }), value.kind == .object
        else { return nil }
        let parameter = { (name: String) in value["parameters"]?[name]?.string }
        var launch = Launch(
            flow: flow, contract: contract, inbox: inbox,
            keys: keys(of: contract.vendor, parameter),
            callback: value["callback"]?.string.flatMap { place(of: LinkURL($0)) })
        // Only the record of an invalid link has it.
        let reaction = value["reaction"]?.string
        let returns = reaction == Reaction.Kind.returns.rawValue
        launch.comesBack = returns || contract.comesBack(parameter)
        launch.isOpen =
            (reaction == nil || returns)
            && !diagnostics.contains { [refusedCallbackCode, overloadCode].contains($0) }
        return launch
    }

    /// Restores the newest launches and their ends, so that a restarted server recognises the flows
    /// of later callbacks.
    ///
    /// Callbacks older than the patience are not read: `mayHaveEnded` says of which launches one may
    /// have to be looked up.
    ///
    /// Logs if the store can't be read; the flows then stay as they are.
    func restore(from store: ResultStore, _ log: Logger) async {
        do throws(StoreError) {
            try await restore(from: store)
        } catch {
            logFailure(error, log)
        }
    }

    /// Logs that the flows could not be restored.
    func logFailure(_ error: StoreError, _ log: Logger) {
        log.error(
            "open flows could not be read: callbacks may not join their launches",
            metadata: ["reason": "\(error)"])
    }

    /// Restores the newest launches and their ends.
    ///
    /// Throws `rebuilding`, and as queries do; the flows then stay as they are.
    ///
    /// - Parameter replacing: whether launches are dropped that are neither in the store nor wait
    ///   for the database.
    func restore(from store: ResultStore, replacing: Bool = false) async throws(StoreError) {
        let launches = ResultQuery(.kinds([.launch]), by: .receivedAt)
        let now = Timestamp.now.unixMilliseconds
        let start = Timestamp(unixMilliseconds: max(0, now - patienceMilliseconds))
        let callbacks = ResultQuery(
            .all([
                .kinds([.callback]), .has(.flow),
                .compare(.receivedAt, .greaterOrEqual, .time(start)),
            ]), by: .receivedAt)
        let steps =
            try await Self.steps(newest: Self.most, of: launches, in: store)
            + Self.steps(newest: Self.most, of: callbacks, in: store)
        if replacing { forgetStored() }
        for step in steps { note(step) }
        sortByOpening()
    }

    /// Reads a flow again after one of its records was erased or could not be stored.
    ///
    /// If the store can't be read, the flow stays as it is.
    package func restore(_ flow: String, from store: ResultStore) async {
        try? await readAgain(flow, from: store)
    }

    /// Reads a flow again.
    ///
    /// Throws as queries do; the flow then stays as it is.
    func readAgain(_ flow: String, from store: ResultStore) async throws(StoreError) {
        let records = ResultQuery(
            .all([Flow.mayDecide, .compare(.flow, .equal, .text(flow))]), by: .receivedAt,
            isDescending: false)
        let page = try await store.page(of: records, after: nil, limit: Flow.mostMessages)
        forgetStored(of: flow)
        for line in page.lines { note(line, in: store) }
    }

    /// What a record says of a flow.
    private enum Step {
        case launch(Launch, at: Timestamp, id: RecordID)
        case end(of: String, by: CallbackDigest, id: RecordID)

        /// Nil for a record that neither launches nor ends a flow, as that of a refused launch.
        init?(_ line: StoredLine, in store: ResultStore) {
            guard let facts = store.facts(in: line) else { return nil }
            if facts.kind == .launch {
                guard let launch = OpenFlows.launch(in: line.text), launch.isOpen else {
                    return nil
                }
                self = .launch(launch, at: facts.receivedAt, id: facts.id)
            } else if let flow = facts.flow, case let message = Flow.Message(facts, line),
                message.isFinal, let digest = message.digest
            {
                self = .end(of: flow, by: digest, id: facts.id)
            } else {
                return nil
            }
        }
    }

    /// Remembers the launch, or the end of a flow, that a record holds.
    func note(_ line: StoredLine, in store: ResultStore) {
        if let step = Step(line, in: store) { note(step) }
    }

    private func note(_ step: Step) {
        switch step {
        case .launch(let launch, let moment, let id):
            add(launch, at: moment)
            noteRead(id, of: launch.flow, isEnd: false)
        case .end(let flow, let digest, let id):
            noteEnd(of: flow, by: digest)
            noteRead(id, of: flow, isEnd: true)
        }
    }

    /// What the newest records that match say, in the order of their arrival.
    ///
    /// The lines of one page at a time are in memory.
    private static func steps(
        newest count: Int, of query: ResultQuery, in store: ResultStore
    ) async throws(StoreError) -> [Step] {
        var steps: [Step] = []
        var read = 0
        var cursor: PageCursor?
        repeat {
            let limit = min(ResultStore.pageLimit, count - read)
            let page = try await store.page(of: query, after: cursor, limit: limit)
            steps += page.lines.compactMap { Step($0, in: store) }
            read += page.lines.count
            cursor = page.next
        } while cursor != nil && read < count
        return steps.reversed()
    }
}
