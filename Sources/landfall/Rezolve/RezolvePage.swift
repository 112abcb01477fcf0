// Lists of the sandbox in pages: `count`, `total`, `links` and `items`, as the vendor's categories have
// them (vendor document 4.7). How pages are asked for is ours: `offset` and `limit`.

import JSONText

/// A part of a list.
struct RezolvePage {
    /// Items on a page at the most.
    static let longest = 100

    let offset: Int
    let limit: Int

    /// Reads `offset`, 0 without one, and `limit`, 20 without one.
    ///
    /// Throws the vendor's refusal of malformed requests for what is no number in range.
    init(_ request: RezolveRequest) throws(RezolveRefusal) {
        offset = try Self.number("offset", 0...1_000_000, request) ?? 0
        limit = try Self.number("limit", 1...Self.longest, request) ?? 20
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ request: RezolveRequest
    ) throws(RezolveRefusal) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .malformed(
                "invalid_page",
                "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Writes the page of `items`, each of which is JSON text.
    func write(_ items: [[UInt8]], to json: inout JSONWriter) {
        let shown = items.dropFirst(offset).prefix(limit)
        json.object { json in
            json.member("count", shown.count)
            json.member("total", items.count)
            json.key("links")
            json.object { json in
                let next = offset + limit < items.count ? offset + limit : nil
                json.member("next", next.map { "?offset=\($0)&limit=\(limit)" })
                let previous = offset > 0 ? max(0, offset - limit) : nil
                json.member("prev", previous.map { "?offset=\($0)&limit=\(limit)" })
            }
            json.key("items")
            json.array { json in
                for item in shown { json.raw(item) }
            }
        }
    }

    /// The page as an answer.
    func answer(_ items: [[UInt8]]) -> RezolveAnswer {
        var json = JSONWriter(reservingCapacity: 1024)
        write(items, to: &json)
        return RezolveAnswer(body: json.bytes)
    }
}
