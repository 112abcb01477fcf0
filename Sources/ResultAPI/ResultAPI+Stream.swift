// `GET /api/v1/results/stream`: results as server-sent events (WHATWG HTML §9.2), for pages and
// scripts that follow what arrives.

import HTTP1
import Problems
import ResultStore

extension ResultAPI {
    private static let lastEventID = FieldName("last-event-id")

    /// `GET /api/v1/results/stream`: events from now on, or after `Last-Event-ID` or `after`.
    func streamResults(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let asked = ResultParameters(&parameters, catalog: store.catalog, isOrdered: false)
        let last = try await ask { () async throws(StoreError) in
            try await store.sequenceReachedByFeed()
        }
        let after = parameters.take("after", expected: "now, or a seq up to \(last)") { text in
            text == "now" ? last : Int(text).flatMap { (0...last).contains($0) ? $0 : nil }
        }
        try parameters.finish()
        // A reconnecting browser sends the last id it has seen. An id that this store never
        // assigned belongs to another store; then the stream sends new results only.
        let seen = query.request?.first(Self.lastEventID)
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            .flatMap { (0...last).contains($0) ? $0 : nil }
        let start = seen ?? after
        if let start, start < last { try checkIndex() }
        var response = Response(
            .ok, contentType: "text/event-stream",
            stream: ContentStream(live: ResultEvents(self, asked, after: start)))
        response.add("Cache-Control", "no-store")
        // Proxies must not buffer the events.
        response.add("X-Accel-Buffering", "no")
        return response
    }
}
