// Flux's REST interface for what the emulator has scanned (vendor document 1.4): the items whose ids
// webhooks carry. Errors have the form of the vendor's framework.
//
// Invariant: items are invented ones of emulated launches, in memory, and bounded; so the interface
// shows no stored result and needs no store. An item exists from the end of its flow on.

import Clocks
import HTTP1
import JSON
import LinkPatterns
import Problems
import Synchronization
import Text
import Vendors

/// The items of all emulated flows.
package final class EmulatedItems: Sendable {
    /// A call of the interface.
    package enum Call: Sendable {
        /// `GET /items`.
        case list
        /// `POST /items/barcode`.
        case barcode
        /// `GET /items/{id}`.
        case item
    }

    /// Where each call is served; below `emulate/dimmy` and on the vendor's hosts.
    package static let paths: [(pattern: String, call: Call)] = [
        ("items", .list), ("items/barcode", .barcode), ("items/:id", .item),
    ]

    /// The vendor's hosts that serve the interface.
    package static let hosts = ["dimmy.api.optioryx.com", "flux.api.optioryx.com"]

    /// Maximum number of items, and of bar codes that one call asks for.
    package static let most = 1000

    /// Maximum bytes of all items.
    package static let mostBytes = 8 * 1024 * 1024

    /// Maximum bytes of the body of a search for bar codes.
    package static let searchBytes = 64 * 1024

    private struct Entry {
        let item: EmulatedItem
        let createdAt: Timestamp?
        /// The end of the flow, in milliseconds since 1970.
        let endsAt: Int64
    }

    private let keys: [[UInt8]]
    /// The entries in the order in which their flows end.
    private let state = Mutex((entries: [Entry](), bytes: 0))

    /// - Parameter keys: the accepted values of `X-API-KEY`.
    package init(keys: [String]) {
        self.keys = keys.map { Array($0.utf8) }
    }

    /// Remembers the item of a planned launch that finishes a flow.
    package func remember(_ plan: EmulationPlan) {
        let opened = plan.opened
        guard let item = plan.item, let end = opened.scenario?.end else { return }
        remember(item, endingAt: opened.receivedAt.unixMilliseconds + end.milliseconds)
    }

    /// Remembers an item from a moment on, in milliseconds since 1970.
    func remember(_ item: EmulatedItem, endingAt end: Int64) {
        let entry = Entry(
            item: item, createdAt: item.createdAt.flatMap(Self.moment), endsAt: end)
        state.withLock { state in
            let earlier = state.entries.lastIndex { $0.endsAt <= end } ?? -1
            state.entries.insert(entry, at: earlier + 1)
            state.bytes += item.json.count
            while state.entries.count > Self.most || state.bytes > Self.mostBytes {
                state.bytes -= state.entries.removeFirst().item.json.count
            }
        }
    }

    /// Answers a call, or with the vendor's error.
    ///
    /// Throws 403 if no key is configured.
    ///
    /// - Parameter id: the item's, in the path.
    package func answer(
        _ call: Call, naming id: String?, _ request: Request, body: [UInt8],
        at now: Timestamp = .now
    ) throws(Problem) -> Response {
        if keys.isEmpty {
            throw Problem(
                status: .forbidden, kind: "no-api-keys",
                detail: "The key for development is public, so it works only on a server without "
                    + "a token. Configure dimmy.api_keys with keys of your own.")
        }
        let given = request.first(FieldName("x-api-key")).map { Array($0) } ?? []
        guard keys.contains(where: { $0.equalsInConstantTime(given) }) else {
            return Self.refusal(.unauthorized, "X-API-KEY is missing or unknown")
        }
        let present = present(at: now.unixMilliseconds)
        do throws(Fault) {
            if call == .item {
                guard let entry = present.first(where: { $0.item.id == id }) else {
                    return Self.refusal(.notFound, "Item not found")
                }
                return Self.response(.ok, entry.item.json)
            }
            let page = try Page(request)
            let search = call == .barcode ? try Search(body) : nil
            let found = present.filter { search?.matches($0.item) ?? page.contains($0.createdAt) }
            let items = page.groups(found.map(\.item.json))
            return Self.list(items.dropFirst(page.skip).prefix(page.limit))
        } catch {
            return Self.response(.unprocessableContent, error.json)
        }
    }

    /// The items at a moment, in milliseconds since 1970: the last one of each id, as launches with
    /// one seed have the same.
    private func present(at now: Int64) -> [Entry] {
        let ended = state.withLock { state in state.entries.prefix { $0.endsAt <= now } }
        var ids: Set<String> = []
        return ended.reversed().filter { ids.insert($0.item.id).inserted }.reversed()
    }

    // MARK: Parameters

    /// A parameter that the vendor's framework would refuse.
    private struct Fault: Error {
        let place: [String]
        let message: String

        var json: [UInt8] {
            JSONWriter.object { json in
                json.array("detail") { json in
                    json.object { json in
                        json.member("loc", place)
                        json.member("msg", message)
                        json.member("type", "value_error")
                    }
                }
            }
        }
    }

    /// The parameters of lists.
    private struct Page {
        private let values: [(name: String, value: String)]
        private(set) var skip = 0
        private(set) var limit = Int.max
        private var start: Timestamp?
        private var end: Timestamp?

        init(_ request: Request) throws(Fault) {
            let query = request.query.flatMap { Link(path: [], query: $0)?.query } ?? []
            values = query.map { ($0.name, $0.value ?? "") }
            skip = try number("skip") ?? 0
            limit = try number("limit") ?? .max
            start = try time("start_date")
            end = try time("end_date")
        }

        private func value(_ name: String) -> String? { values.first { $0.name == name }?.value }

        private func number(_ name: String) throws(Fault) -> Int? {
            guard let text = value(name) else { return nil }
            guard let number = Int(text), number >= 0 else {
                throw Fault(
                    place: ["query", name],
                    message: "Input should be a valid integer, greater than or equal to 0")
            }
            return number
        }

        private func time(_ name: String) throws(Fault) -> Timestamp? {
            guard let text = value(name) else { return nil }
            guard let moment = EmulatedItems.moment(text) else {
                throw Fault(place: ["query", name], message: "Input should be a valid datetime")
            }
            return moment
        }

        /// Whether an item was created between the bounds.
        func contains(_ created: Timestamp?) -> Bool {
            guard let created else { return start == nil && end == nil }
            return start.map { $0 < created } ?? true && end.map { created < $0 } ?? true
        }

        /// The items, those of one value of `group_by` together.
        func groups(_ items: [[UInt8]]) -> [[UInt8]] {
            guard let name = value("group_by"), !name.isEmpty else { return items }
            var order: [[UInt8]] = []
            var groups: [[UInt8]: [[UInt8]]] = [:]
            for item in items {
                let member = try? JSONDocument(parsing: item).root[name]
                let key = member.map { Array($0.text) } ?? []
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append(item)
            }
            return order.flatMap { groups[$0] ?? [] }
        }
    }

    /// The body of `POST /items/barcode`.
    private struct Search {
        private let barcodes: [(text: String, isExact: Bool)]
        private let accounts: [String]

        init(_ body: [UInt8]) throws(Fault) {
            guard let root = try? JSONDocument(parsing: body).root, root.kind == .object else {
                throw Fault(place: ["body"], message: "Input should be a valid JSON object")
            }
            let texts = try Self.list("barcodes", in: root, of: "string", \.string)
            guard let texts, (1...EmulatedItems.most).contains(texts.count) else {
                throw Fault(
                    place: ["body", "barcodes"],
                    message: "List should have 1 to \(EmulatedItems.most) items")
            }
            accounts = try Self.list("scanner_account_ids", in: root, of: "string", \.string) ?? []
            let exact = try Self.list("exact", in: root, of: "boolean", \.bool) ?? []
            barcodes = texts.enumerated().map { index, text in
                (text, index < exact.count ? exact[index] : true)
            }
        }

        private static func list<Element>(
            _ name: String, in root: JSONNode, of type: String, _ value: (JSONNode) -> Element?
        ) throws(Fault) -> [Element]? {
            guard let node = root[name], node.kind != .null else { return nil }
            let elements = node.elements.compactMap(value)
            guard node.kind == .array, elements.count == node.count else {
                throw Fault(
                    place: ["body", name], message: "Input should be a valid list of \(type)s")
            }
            return elements
        }

        func matches(_ item: EmulatedItem) -> Bool {
            guard accounts.isEmpty || accounts.contains(item.scannerAccountID) else { return false }
            return barcodes.contains { wanted in
                item.barcodes.contains {
                    wanted.isExact ? $0 == wanted.text : $0.contains(wanted.text)
                }
            }
        }
    }

    /// A time with or without a zone, or a date; in UTC without one.
    private static func moment(_ text: String) -> Timestamp? {
        // A plus sign of a zone that arrives as a space.
        let text = text.replacing(" ", with: "+")
        return [text, text + "Z", text + "T00:00:00Z"].lazy.compactMap { Timestamp($0.utf8) }.first
    }

    // MARK: Responses

    private static func list(_ items: some Collection<[UInt8]>) -> Response {
        var json = JSONWriter()
        json.array { json in for item in items { json.raw(item) } }
        return response(.ok, json.bytes)
    }

    private static func refusal(_ status: Status, _ detail: String) -> Response {
        var json = JSONWriter()
        json.object { $0.member("detail", detail) }
        return response(status, json.bytes)
    }

    private static func response(_ status: Status, _ json: [UInt8]) -> Response {
        var response = Response(status, contentType: "application/json", body: json)
        response.add("Cache-Control", "no-store")
        return response
    }
}
