// The query API: stored lines are cut and copied into responses, never decoded and encoded again.

import Clocks
import HTTP1
import LinkPatterns
import Problems
import ResultStore
import Text

extension ResultAPI {
    private static let defaultPageResults = 50

    /// `GET /api/v1/results`: a page of results, without request bodies unless `fields` selects
    /// them.
    ///
    /// As lines without `limit`, the response holds all results.
    func listResults(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let form = query.form
        let asked = ResultParameters(
            &parameters, catalog: store.catalog, isOrdered: true,
            fieldsRefusal: form == .table
                ? "A table has columns of its own; accept application/json to select fields." : nil)
        let most = ResultStore.pageLimit
        let limit = parameters.take("limit", in: 1...most)
        let expected = "next_cursor of an earlier page of the same query"
        let cursor = parameters.take("cursor", expected: expected) { text in
            PageCursor(text).flatMap { $0.belongs(to: asked.query) ? $0 : nil }
        }
        try parameters.finish()
        if form == .lines, limit == nil {
            try checkIndex()
            let fields = asked.fields
            let pages = ResultLines(self, asked.query, after: cursor) { line, text in
                text += fields.apply(to: line.text)
                text.append(UInt8(ascii: "\n"))
            }
            var response = Response(
                .ok, contentType: form.rawValue,
                stream: ContentStream(LongSequence(pages, on: work)))
            response.add("Cache-Control", "no-store")
            response.add("Vary", "Accept")
            return response
        }
        let outline = try await ask { () async throws(StoreError) in
            try await store.outline(
                of: asked.query, after: cursor, limit: limit ?? Self.defaultPageResults,
                counts: form == .json)
        }
        var response: Response
        if form == .table {
            response = try Self.named(
                Response(
                    .ok, contentType: form.contentType,
                    body: try await work.run { () async throws(Problem) in
                        try await self.table(of: outline)
                    }),
                for: query)
        } else {
            let text = PageText(
                self, outline, asked.fields, asLines: form != .json, cursor: outline.next?.text,
                total: outline.total)
            response = try await text.response(
                form.contentType,
                tag: "\(form.rawValue) \(query.parameters.text) \(outline.fingerprint) "
                    + "\(outline.total?.count ?? 0) \(outline.total?.isExact ?? true) "
                    + "\(outline.next?.text ?? "") \(version)",
                for: query.request)
        }
        if let next = outline.next {
            response.add("Link", Self.link(to: next.text, APIPath.results, query))
        }
        response.add("Vary", "Accept")
        return response
    }

    private func table(of outline: PageOutline) async throws(Problem) -> [UInt8] {
        var table = ResultTable()
        var pages = PageLines(self, outline)
        while let lines = try await pages.next() {
            for line in lines {
                Pause.giveWay()
                if !table.add(FieldSelection?.none.apply(to: line.text)) { report([.unreadable]) }
            }
        }
        return Array(table.text.utf8)
    }

    /// The link to the next page (RFC 8288): the same query with another cursor.
    static func link(to next: String, _ path: String, _ query: Query) -> String {
        let pairs =
            query.parameters.text.split(separator: "&").filter {
                Link(path: [], query: Array($0.utf8)[...])?.query.first?.name != "cursor"
            } + ["cursor=\(next)"]
        let text = PercentEncoding.encodeQuery(Array(pairs.joined(separator: "&").utf8)[...])
        return "<\(path)?\(text)>; rel=\"next\""
    }

    /// `GET /api/v1/results/latest`: the result that was received last.
    func latestResult(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let asked = ResultParameters(&parameters, catalog: store.catalog, isOrdered: false)
        try parameters.finish()
        // The newest line may be damaged; the results before it are still there.
        for count in [1, ResultStore.pageLimit] {
            let outline = try await ask { () async throws(StoreError) in
                try await store.outline(of: asked.query, limit: count)
            }
            let found = try await largeWork.run(over: outline.bytes) {
                () async throws(Problem) -> Response? in
                var pages = PageLines(self, outline)
                while let lines = try await pages.next() {
                    guard let line = lines.first else { continue }
                    let text = asked.fields.map { $0.apply(to: line.text) } ?? Self.whole(line)
                    var response = try Self.named(Self.json(text), for: query)
                    response.permit = pages.permit
                    return response
                }
                return nil
            }
            if let found { return found }
        }
        throw Self.unknownResult
    }

    /// `GET /api/v1/results/{id}`: one result, with its request's body.
    func result(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        return try await answer(about: query.subject) { line throws(Problem) in
            try Self.named(Self.json(Self.whole(line)), for: query)
        }
    }

    /// All of a record, with what is derived from it.
    private static func whole(_ line: StoredLine) -> [UInt8] {
        let text = line.text
        return DerivedMembers(of: text).added(to: text)
    }

    /// `DELETE /api/v1/results/{id}`: 204 once it is permanently erased.
    ///
    /// Throws 412 if the request has conditions that the result doesn't meet.
    func eraseResult(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        if query.request?.isSelective == true { _ = try await result(query) }
        guard let id = query.subject.flatMap({ RecordID($0) }) else { throw Self.unknownResult }
        let existed = try await ask { () async throws(StoreError) in try await store.erase(id) }
        guard existed else { throw Self.unknownResult }
        return Response(.noContent)
    }

    /// `GET /api/v1/results/{id}/request`: the received request, as an HTTP message.
    func storedRequest(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        let name = "\(query.subject ?? "request").http"
        return try await answer(about: query.subject) { line throws(Problem) in
            guard let stored = StoredRequest(ofRecord: line.text) else { throw Self.damagedRequest }
            var response = Response(.ok, contentType: "message/http", body: stored.message)
            response.add("Content-Disposition", "attachment; filename=\"\(name)\"")
            response.add("Cache-Control", "no-store")
            return response
        }
    }

    /// `GET /api/v1/results/{id}/curl`: a command that sends the request again, here or to `to`.
    func curlCommand(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let server = parameters.take("to", expected: "a URL such as http://127.0.0.1:8080") {
            let url = LinkURL($0)
            let isServer = url.isWebLink && url.hasValidAuthority && url.query == nil
            return isServer && url.fragment == nil && !$0.contains { $0.isWhitespace } ? $0 : nil
        }
        let hides = parameters.takeHidesCredentials()
        try parameters.finish()
        // Without `to`, the command connects to this server; without a host, to the recorded one.
        let own = query.request?.address
        return try await answer(about: query.subject) { line throws(Problem) in
            let text = hides ? ListedRecord.text(of: line.text) : line.text
            guard let command = CurlCommand(text, to: server ?? own) else {
                throw Self.damagedRequest
            }
            var response = Response(
                .ok, contentType: "text/plain; charset=utf-8", body: Array(command.text.utf8))
            response.add("Cache-Control", "no-store")
            return response
        }
    }

    package static let damagedRequest = Problem(
        status: .internalServerError, kind: "damaged-record",
        detail: "The stored record holds no request that can be written out.")

    package static let unknownResult = Problem(
        status: .notFound, kind: "unknown-result",
        detail: "There is no such result; GET /api/v1/results lists what there is.")

    /// One result, with a permit where it is large.
    package func line(of id: String?) async throws(Problem) -> (StoredLine, MemoryPermit?) {
        guard let id = id.flatMap({ RecordID($0) }) else { throw Self.unknownResult }
        let outline = try await ask { () async throws(StoreError) in
            try await store.outline(of: id)
        }
        guard let outline else { throw Self.unknownResult }
        let permit = try await memory(toReadLines: outline.bytes)
        let (lines, damage) = try await ask { () async throws(StoreError) in
            try await largeWork.run(over: outline.bytes) { () async throws(StoreError) in
                try await store.lines(of: outline, 0..<1)
            }
        }
        if let error = damage.first { try await ask { () throws(StoreError) in throw error } }
        guard let line = lines.first else { throw Self.unknownResult }
        return (line, permit)
    }

    /// Reads one result and makes a response of it, beside the loops if it is large.
    private func answer(
        about id: String?,
        _ respond: @escaping @Sendable (StoredLine) throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        let (line, permit) = try await line(of: id)
        var response = try await largeWork.run(over: line.size) { () throws(Problem) in
            try respond(line)
        }
        response.permit = permit
        return response
    }

    /// Queries the store; a failure is logged, and reported without paths of this machine.
    package func ask<Value>(
        _ query: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await query()
        } catch {
            if case .rebuilding = error { throw Problem(error) }
            if error == .cancelled { throw Problem(error) }
            log.error("the store failed", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
    }

    /// Throws 503 during an index rebuild: a stream that has begun can't report it any more.
    func checkIndex() throws(Problem) {
        if let (done, total) = store.status.rebuilding {
            throw Problem(StoreError.rebuilding(done: done, of: total))
        }
    }

    func report(_ damage: [StoreError]) {
        for error in damage {
            log.error("a stored record is damaged", metadata: ["reason": "\(error)"])
        }
    }

    package static func json(_ body: [UInt8]) -> Response {
        Response(.ok, contentType: "application/json", body: body)
    }

    /// A response in JSON that must not be cached.
    package static func uncached(_ body: [UInt8], isCompressible: Bool = false) -> Response {
        var response = json(body)
        response.add("Cache-Control", "no-store")
        response.isCompressible = isCompressible
        return response
    }

    /// The state of what a request shows or changes, with a strong tag: it is never compressed.
    ///
    /// Throws 412 if the request requires another state, so that it changes nothing.
    package static func state(
        _ body: [UInt8], for request: Request
    ) throws(Problem) -> Response {
        var response = uncached(body)
        do throws(Refusal) {
            try response.name(EntityTag.of(body), for: request)
        } catch {
            throw Problem(error)
        }
        return response
    }

    /// A response with an entity tag for conditional requests; the tag is weak because it covers
    /// all content codings.
    ///
    /// Throws 412 if the request requires other content.
    static func named(
        _ response: Response, for query: Query
    ) throws(Problem) -> Response {
        var response = response
        response.add("Cache-Control", "no-store")
        response.isCompressible = true
        try response.tag(by: response.body, for: query.request)
        return response
    }
}

extension Response {
    /// Sets a weak entity tag made of `content`; turns the response into 304 if the client has it.
    ///
    /// Throws 412 if the request requires other content.
    mutating func tag(by content: [UInt8], for request: Request?) throws(Problem) {
        do throws(Refusal) {
            try name("W/" + EntityTag.of(content), for: request)
        } catch {
            throw Problem(error)
        }
    }
}

extension Request {
    /// The URL of the server as the client addresses it; nil without a host.
    fileprivate var address: String? {
        let scheme = origin.isSecure ? "https" : "http"
        return authority.map { "\(scheme)://\(String(decoding: $0, as: UTF8.self))" }
    }
}

extension ResultForm {
    /// The type with its charset.
    var contentType: String { self == .table ? "\(rawValue); charset=utf-8" : rawValue }
}
