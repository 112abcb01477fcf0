// Inboxes, vendors and statistics.

import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// `GET /api/v1/inboxes`: a page of the inboxes that hold callbacks, or records of the
    /// requested kinds, by name.
    func listInboxes(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let most = ResultStore.pageLimit
        let limit =
            parameters.take("limit", in: 1...most) ?? most
        let cursor = parameters.take("cursor", expected: "next_cursor of an earlier page") {
            Inbox.isValid($0) ? $0 : nil
        }
        let kinds = ResultParameters.kinds(&parameters) ?? [.callback]
        try parameters.finish()
        let found = try await ask { () async throws(StoreError) in
            try await store.inboxes(of: kinds, after: cursor, limit: limit + 1)
        }
        let inboxes = found.prefix(limit)
        let next = found.count > limit ? inboxes.last?.name : nil
        var json = JSONWriter(reservingCapacity: 256)
        json.object { json in
            json.objects("inboxes", of: inboxes) { json, inbox in
                json.member("name", inbox.name)
                json.member("count", inbox.count)
                json.member("last_received_at", inbox.lastReceivedAt.description)
            }
            json.member("next_cursor", next)
        }
        var response = Self.json(json.bytes)
        if let next { response.add("Link", Self.link(to: next, APIPath.inboxes, query)) }
        return try Self.named(response, for: query)
    }

    /// `DELETE /api/v1/inboxes/{inbox}`: erases its records and reports their number.
    ///
    /// Throws 412 if the request has conditions that the inbox doesn't meet.
    func eraseInbox(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        let name = try Inbox.name(in: query.subject)
        if query.request?.isSelective == true {
            let first = try await ask { () async throws(StoreError) in
                try await store.outline(
                    of: ResultQuery(.compare(.inbox, .equal, .text(name))), limit: 1)
            }
            guard first.count > 0 else { return Response(.noContent) }
            // An inbox has no tag, so of all conditions on tags only `If-Match: *` can be true.
            var inbox = Response(.noContent)
            try inbox.tag(by: [], for: query.request)
        }
        let count = try await ask { () async throws(StoreError) in
            try await store.erase(inbox: name)
        }
        // An inbox exists only through its records: an empty one needs no erasing.
        guard count > 0 else { return Response(.noContent) }
        var json = JSONWriter()
        json.object { $0.member("erased", count) }
        return Self.uncached(json.bytes)
    }

    /// `GET /api/v1/vendors`: the vendors, and the result fields that queries may name.
    func listVendors(_ query: Query) throws(Problem) -> Response {
        try query.parameters.requireNone()
        var json = JSONWriter(reservingCapacity: 2048)
        json.object { json in
            json.objects("vendors", of: Vendor.allCases) { json, vendor in
                json.member("name", vendor.rawValue)
                json.member("title", vendor.declaration.title)
                json.member("sample", vendor.declaration.sample)
                json.key("launches")
                vendor.writeLaunches(to: &json)
                json.array("fields") { json in
                    for field in vendor.declaration.resultFields {
                        json.object { json in
                            json.member("name", "result.\(field.name)")
                            json.member("kind", field.kind.rawValue)
                        }
                    }
                }
            }
        }
        return try Self.named(Self.json(json.bytes), for: query)
    }

    /// `GET /api/v1/stats`: the number of callbacks, or of records of the requested kinds, in total
    /// and grouped.
    func statistics(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let kinds = ResultParameters.kinds(&parameters) ?? [.callback]
        try parameters.finish()
        let (newest, counts) = try await ask { () async throws(StoreError) in
            (
                try await store.newestSequence(),
                try await store.counts().filter { kinds.contains($0.kind) }
            )
        }
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("results", counts.reduce(0) { $0 + $1.count })
            json.member("last_seq", newest)
            json.objects("by", of: counts) { json, count in
                json.member("kind", count.kind.rawValue)
                json.member("vendor", count.vendor)
                json.member("contract", count.contract)
                json.member("outcome", count.outcome)
                json.member("verdict", count.verdict)
                json.member("method", count.method)
                json.member("count", count.count)
            }
        }
        return try Self.named(Self.json(json.bytes), for: query)
    }
}
