// Restores the open flows after a restart: the newest launches in the store, and which of them have
// ended.

import Clocks
import JSON
import LinkPatterns
import ResultStore
import Vendors

extension OpenFlows {
    /// Host, port and path of a web URL, and its query; nil for other URLs.
    package static func place(of url: LinkURL) -> (place: String, query: String)? {
        guard url.isWebLink, let host = url.host?.lowercased() else { return nil }
        let path = url.path.isEmpty ? "/" : url.path
        return ("\(host):\(url.port ?? "")\(path)", url.query ?? "")
    }

    /// The launch in a record; nil for other records.
    package static func launch(in record: [UInt8]) -> Launch? {
        guard let root = try? JSONDocument(parsing: record).root,
            let flow = root["flow"]?.string, let inbox = root["inbox"]?.string,
            let contract = root["contract"]?.string.flatMap({ Contract(rawValue: $0) }),
            let value = root["result"], value.kind == .object
        else { return nil }
        let parameter = { (name: String) in value["parameters"]?[name]?.string }
        var launch = Launch(
            flow: flow, contract: contract, inbox: inbox,
            keys: keys(of: contract.vendor, parameter),
            callback: value["callback"]?.string.flatMap { place(of: LinkURL($0)) })
        // The app's reaction to an invalid link isn't what its contract promises.
        launch.comesBack = value["reaction"]?.string != nil || contract.comesBack(parameter)
        return launch
    }

    /// Restores the newest launches and their ends, so that a restarted server recognises the flows
    /// of later callbacks.
    ///
    /// Callbacks older than the patience are not read: their launches are lost anyway.
    package func restore(from store: ResultStore, at now: Timestamp = .now) async {
        let launches = ResultQuery(.kinds([.launch]), by: .receivedAt)
        for line in await newest(of: launches, in: store, atMost: ResultStore.pageLimit).reversed()
        {
            note(line, in: store)
        }
        let start = Timestamp(unixMilliseconds: max(0, now.unixMilliseconds - patienceMilliseconds))
        let callbacks = ResultQuery(
            .all([
                .kinds([.callback]), .has(.flow),
                .compare(.receivedAt, .greaterOrEqual, .time(start)),
            ]), by: .receivedAt)
        for line in await newest(of: callbacks, in: store, atMost: Self.most).reversed() {
            note(line, in: store)
        }
    }

    /// Reads a flow again after one of its records was erased.
    ///
    /// If the store can't be read, the flow stays as it is.
    package func restore(_ flow: String, from store: ResultStore) async {
        let records = ResultQuery(
            .all([.kinds([.launch, .callback]), .compare(.flow, .equal, .text(flow))]),
            by: .receivedAt)
        let page = try? await store.page(of: records, after: nil, limit: Flow.mostMessages)
        guard let page else { return }
        forget(flow: flow)
        for line in page.lines.reversed() { note(line, in: store) }
    }

    /// Remembers the launch, or the end of a flow, that a record holds.
    func note(_ line: StoredLine, in store: ResultStore) {
        guard let facts = store.facts(in: line) else { return }
        if facts.kind == .launch {
            if let launch = Self.launch(in: line.text) { add(launch, at: facts.receivedAt) }
        } else if let flow = facts.flow, case let message = Flow.Message(facts, line),
            message.isFinal, let digest = message.digest
        {
            noteEnd(of: flow, by: digest)
        }
    }

    /// The newest lines that match, the newest first.
    private func newest(
        of query: ResultQuery, in store: ResultStore, atMost count: Int
    ) async -> [StoredLine] {
        var lines: [StoredLine] = []
        var cursor: PageCursor?
        repeat {
            let limit = min(ResultStore.pageLimit, count - lines.count)
            guard let page = try? await store.page(of: query, after: cursor, limit: limit) else {
                return lines
            }
            lines += page.lines
            cursor = page.next
        } while cursor != nil && lines.count < count
        return lines
    }
}
