// The query API: stored lines are cut and copied into answers, never decoded and encoded again.

import Clocks
import HTTP1
import JSONText
import ResultStore
import Vendors

extension Application {
    private static let defaultPageResults = 50

    /// `GET /api/v1/results`: a page of results, newest first, without request bodies.
    func listResults(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let filter = Self.filter(&parameters)
        let most = ResultStore.pageLimit
        let limit = parameters.take("limit", expected: "a number from 1 to \(most)") {
            Int($0).flatMap { (1...most).contains($0) ? $0 : nil }
        }
        let expected = "next_cursor of an earlier page with the same filters"
        let cursor = parameters.take("cursor", expected: expected) { text in
            PageCursor(text).flatMap { $0.belongs(to: filter) ? $0 : nil }
        }
        try parameters.finish()
        let page = try await query { () async throws(StoreError) in
            try await store.page(
                matching: filter, after: cursor, limit: limit ?? Self.defaultPageResults)
        }
        report(page.damage)
        return Self.json(Self.list(page))
    }

    private static func filter(_ parameters: inout QueryParameters) -> ResultFilter {
        var filter = ResultFilter()
        filter.vendor = parameters.take("vendor", oneOf: Vendor.allCases.map(\.rawValue))
        filter.inbox = parameters.take("inbox", expected: Inbox.rule) {
            Inbox.isValid($0) ? $0 : nil
        }
        filter.outcome = parameters.take("outcome", oneOf: Outcome.allCases.map(\.rawValue))
        filter.verdict = parameters.take("verdict", oneOf: Verdict.allCases.map(\.rawValue))
        let moment = "a time such as 2026-11-21T06:13:00Z"
        filter.receivedAfter = parameters.take("received_after", expected: moment) {
            Timestamp($0.utf8)
        }
        filter.receivedBefore = parameters.take("received_before", expected: moment) {
            Timestamp($0.utf8)
        }
        return filter
    }

    private static func list(_ page: ResultStore.Page) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: page.lines.reduce(256) { $0 + $1.size })
        json.object { json in
            json.key("results")
            json.array { json in
                for line in page.lines { json.raw(line.textWithoutBody) }
            }
            json.member("next_cursor", page.next?.text)
        }
        return json.bytes
    }

    /// `GET /api/v1/results/latest`: the result that was received last.
    func latestResult(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let filter = Self.filter(&parameters)
        try parameters.finish()
        let page = try await query { () async throws(StoreError) in
            try await store.page(matching: filter, limit: 1)
        }
        report(page.damage)
        guard let line = page.lines.first else { throw Self.unknownResult }
        return Self.json(line.text)
    }

    /// `GET /api/v1/results/{id}`: one result, with its request's body.
    func result(_ id: String?, _ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        try parameters.finish()
        return Self.json(try await line(of: id).text)
    }

    /// `GET /api/v1/results/{id}/request`: the request as it came, as an HTTP message.
    func storedRequest(of id: String?, _ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        try parameters.finish()
        let line = try await line(of: id)
        guard let message = StoredRequest(line.text) else {
            throw Problem(
                status: .internalServerError, kind: "damaged-record",
                detail: "The stored record holds no request that can be written out.")
        }
        var response = Response(.ok, contentType: "message/http", body: message.bytes)
        response.add("Content-Disposition", "attachment; filename=\"request.http\"")
        response.add("Cache-Control", "no-store")
        return response
    }

    /// `GET /api/v1/inboxes`: all inboxes, by name.
    func listInboxes(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        try parameters.finish()
        let inboxes = try await query { () async throws(StoreError) in
            try await store.inboxes()
        }
        var json = JSONWriter(reservingCapacity: 256)
        json.object { json in
            json.key("inboxes")
            json.array { json in
                for inbox in inboxes {
                    json.object { json in
                        json.member("name", inbox.name)
                        json.member("count", inbox.count)
                        json.member("last_received_at", inbox.lastReceivedAt.description)
                    }
                }
            }
        }
        return Self.json(json.bytes)
    }

    private static let unknownResult = Problem(
        status: .notFound, kind: "unknown-result",
        detail: "There is no such result; GET /api/v1/results lists what there is.")

    private func line(of id: String?) async throws(Problem) -> StoredLine {
        guard let id = id.flatMap({ RecordID($0) }) else { throw Self.unknownResult }
        let line = try await query { () async throws(StoreError) in try await store.line(of: id) }
        guard let line else { throw Self.unknownResult }
        return line
    }

    /// Asks the store; a failure is logged, and said without the paths of this machine.
    private func query<Value>(
        _ ask: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await ask()
        } catch {
            log.error("a query failed", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
    }

    private func report(_ damage: [StoreError]) {
        for error in damage {
            log.error("a stored record is damaged", metadata: ["reason": "\(error)"])
        }
    }

    private static func json(_ body: [UInt8]) -> Response {
        var response = Response(.ok, contentType: "application/json", body: body)
        response.add("Cache-Control", "no-store")
        response.isCompressible = true
        return response
    }
}
