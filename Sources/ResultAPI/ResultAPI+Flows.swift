// Flows: which launches returned, which did not, and which callbacks have no launch.

import Clocks
import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    private static let defaultPageFlows = 50
    private static let mostPageFlows = 200

    /// Maximum number of flows that one request reads, with any filter.
    ///
    /// A list goes on with the next page; a report says that it isn't exact.
    package static let mostExaminedFlows = 5000

    /// `GET /api/v1/flows`: flows, the latest launch first.
    func listFlows(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let filter = FlowFilter(&parameters)
        let most = Self.mostPageFlows
        let limit = parameters.take("limit", in: 1...most)
        var cursor = parameters.take("cursor", expected: "next_cursor of an earlier page") {
            RecordID($0)?.description
        }
        try parameters.finish()
        var found: [Flow] = []
        var examined = 0
        repeat {
            let ids = try await flowIDs(before: cursor, limit: most)
            cursor = ids.count == most ? ids.last : nil
            examined += ids.count
            for id in ids {
                guard let flow = try await self.flow(id), filter.matches(flow) else { continue }
                found.append(flow)
                if found.count == limit ?? Self.defaultPageFlows {
                    if id != ids.last { cursor = id }
                    break
                }
            }
        } while cursor != nil && found.count < limit ?? Self.defaultPageFlows
            && examined < Self.mostExaminedFlows
        var json = JSONWriter(reservingCapacity: 512 * found.count + 64)
        json.object { json in
            json.array("flows") { json in for flow in found { flow.write(to: &json) } }
            json.member("next_cursor", cursor)
        }
        return try Self.named(Self.json(json.bytes), for: query)
    }

    /// `GET /api/v1/flows/{id}`: one flow with its messages, and their records up to `flowBytes`,
    /// without credentials.
    func flow(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        guard let id = query.subject.flatMap({ RecordID($0) })?.description else {
            throw Self.unknownFlow
        }
        let outline = try await outline(ofFlow: id)
        return try await work.run(over: outline.bytes) { () async throws(Problem) in
            try await flow(id, of: outline, for: query)
        }
    }

    private func flow(
        _ id: String, of outline: PageOutline, for query: Query
    ) async throws(Problem) -> Response {
        let permit = try await memory(
            for: 3 * min(outline.bytes, Self.flowBytes), workingOn: outline.bytes)
        var records: [String: [UInt8]] = [:]
        var bytes = 0
        let messages = try await messages(outline) { facts, line in
            bytes += line.size
            if bytes <= Self.flowBytes {
                records[facts.id.description] = ListedRecord.text(of: line.text)
            }
        }
        if messages.isEmpty { throw Self.unknownFlow }
        let flow = try await flow(id, of: outline, messages)
        var json = JSONWriter(reservingCapacity: 1024 + min(bytes, Self.flowBytes))
        flow.write(to: &json, with: records)
        var response = try Self.named(Self.json(json.bytes), for: query)
        response.permit = permit
        return response
    }

    /// Maximum bytes of records in the response for one flow; get the others by id.
    private static let flowBytes = 2 * 1024 * 1024

    /// `GET /api/v1/flows/report[?since=…]`: lost, orphaned and duplicate flows by vendor, of
    /// the newest `mostExaminedFlows`; takes the filters of `GET /api/v1/flows`.
    func reportFlows(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let filter = FlowFilter(&parameters)
        let since = parameters.take("since", expected: Self.sinceRule) {
            Self.time(since: $0, catalog: store.catalog)
        }
        try parameters.finish()
        let most = Self.mostExaminedFlows
        var ids = try await flowIDs(before: nil, limit: most + 1)
        if let since {
            ids.removeAll { id in
                RecordID(id).map { $0.milliseconds < since.unixMilliseconds } ?? false
            }
        }
        var report = FlowReport()
        var count = 0
        for id in ids.prefix(most) {
            guard let flow = try await self.flow(id) else { continue }
            count += 1
            if filter.matches(flow) { report.add(flow) }
        }
        let body = JSONWriter.object { json in
            json.member("since", since?.description)
            json.member("flows", count)
            json.member("exact", ids.count <= most)
            report.writeMembers(to: &json)
        }
        return try Self.named(Self.json(body), for: query)
    }

    private func flowIDs(before id: String?, limit: Int) async throws(Problem) -> [String] {
        try await ask { () async throws(StoreError) in
            try await store.flows(before: id, limit: limit)
        }
    }

    /// A flow; nil if all its records were erased since its id was found, or can't be read.
    private func flow(_ id: String) async throws(Problem) -> Flow? {
        let outline = try await outline(ofFlow: id)
        let messages = try await messages(outline)
        if messages.isEmpty { return nil }
        return try await flow(id, of: outline, messages)
    }

    /// The records of a flow, oldest first; of a long one, the oldest, the newest, and those that
    /// may launch or end it.
    private func outline(ofFlow id: String) async throws(Problem) -> PageOutline {
        let (own, limit) = (Condition.compare(.flow, .equal, .text(id)), Flow.mostMessages)
        return try await ask { () async throws(StoreError) -> PageOutline in
            let oldest = try await store.outline(
                of: ResultQuery(own, by: .seq, isDescending: false), limit: limit, bytes: .max)
            if oldest.next == nil { return oldest }
            let newest = try await store.outline(
                of: ResultQuery(own, by: .seq), limit: limit, bytes: .max)
            let decisive = try await store.outline(
                of: ResultQuery(.all([own, Flow.mayDecide]), by: .seq, isDescending: false),
                limit: limit, bytes: .max)
            return oldest.merged(with: newest).merged(with: decisive)
        }
    }

    /// The messages of a flow, of each line of a page.
    private func messages(
        _ outline: PageOutline, _ look: (RecordFacts, StoredLine) -> Void = { _, _ in }
    ) async throws(Problem) -> [Flow.Message] {
        var pages = PageLines(self, outline)
        var messages: [Flow.Message] = []
        while let lines = try await pages.next() {
            for line in lines {
                Pause.giveWay()
                guard let own = store.facts(in: line) else { continue }
                messages.append(Flow.Message(own, line))
                look(own, line)
            }
        }
        return messages
    }

    /// A flow, from its records that were read.
    private func flow(
        _ id: String, of outline: PageOutline, _ messages: [Flow.Message]
    ) async throws(Problem) -> Flow {
        var flow = Flow(id: id, messages, now: .now, patience: flowPatience)
        guard outline.count > Flow.mostMessages, let inbox = flow.inbox else { return flow }
        let callbacks = ResultQuery(
            .all([
                .kinds([.callback]), .compare(.flow, .equal, .text(id)),
                .compare(.inbox, .equal, .text(inbox)),
            ]))
        let total = try await ask { () async throws(StoreError) in
            try await store.outline(of: callbacks, limit: 1, counts: true).total
        }
        flow.callbackCount = max(flow.callbackCount, total?.count ?? 0)
        return flow
    }

    private static let unknownFlow = Problem(
        status: .notFound, kind: "unknown-flow",
        detail: "There is no such flow; GET /api/v1/flows lists what there is.")
}

/// The filter of a flow query.
private struct FlowFilter {
    let vendor: String?
    let inbox: String?
    let states: [String]?

    init(_ parameters: inout QueryParameters) {
        vendor = parameters.take(
            "vendor", expected: "one of \(Vendor.names.joined(separator: ", "))"
        ) { Vendor(rawValue: $0)?.rawValue }
        inbox = parameters.take("inbox", expected: Inbox.rule) { Inbox.isValid($0) ? $0 : nil }
        let known = Flow.State.allCases.map(\.rawValue)
        let expected = "states with commas between them, of \(known.joined(separator: ", "))"
        states = parameters.take("state", expected: expected) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
            return names.allSatisfy(known.contains) ? names : nil
        }
    }

    func matches(_ flow: Flow) -> Bool {
        if let vendor, !flow.messages.contains(where: { $0.facts.vendor == vendor }) {
            return false
        }
        if let inbox, flow.inbox != inbox { return false }
        return states?.contains(flow.state.rawValue) ?? true
    }
}
