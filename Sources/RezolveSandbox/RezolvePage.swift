// Pages of the sandbox's lists: `count`, `total`, `links` and `items`, as in the vendor's
// categories (vendor document 4.7). The parameters `offset` and `limit` are ours.
//
// Invariant: a link repeats the query of the request.

import JSON
import Text
import Vendors

/// A part of a list.
package struct RezolvePage {
    /// Maximum items on a page.
    package static let longest = 100

    package let offset: Int
    package let limit: Int

    /// Prefix of this list's parameters, if a response has several lists.
    private let prefix: String
    /// The other parameters, as a query.
    private let question: String

    /// Reads `offset`, default 0, and `limit`, default 20.
    ///
    /// Throws the vendor's error for malformed requests unless both are numbers in range.
    package init(_ request: RezolveRequest, prefix: String = "") throws(RezolveRefusal) {
        self.prefix = prefix
        offset = try Self.number("\(prefix)offset", 0...1_000_000, request) ?? 0
        limit = try Self.number("\(prefix)limit", 1...Self.longest, request) ?? 20
        question =
            request.query
            .filter { !["\(prefix)offset", "\(prefix)limit", "scenario"].contains($0.name) }
            .map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)&" }.joined()
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ request: RezolveRequest
    ) throws(RezolveRefusal) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .malformed(
                .target(
                    "invalid_page",
                    expected: "\(name): a number from \(range.lowerBound) to \(range.upperBound)",
                    found: Excerpt.quoted(Array(text.utf8)[...])))
        }
        return number
    }

    /// Writes the page of `items`, each as JSON text.
    package func write(_ items: [[UInt8]], to json: inout JSONWriter) {
        write(Array(items.dropFirst(offset).prefix(limit)), of: items.count, to: &json)
    }

    /// Writes a page of items that are already selected.
    ///
    /// - Parameter total: number of items in the whole list.
    package func write(_ shown: [[UInt8]], of total: Int, to json: inout JSONWriter) {
        json.object { json in
            json.member("count", shown.count)
            json.member("total", total)
            json.key("links")
            json.object { json in
                json.member("next", offset + limit < total ? link(offset + limit) : nil)
                json.member("prev", offset > 0 ? link(max(0, offset - limit)) : nil)
            }
            json.key("items")
            json.array { json in
                for item in shown { json.raw(item) }
            }
        }
    }

    private func link(_ offset: Int) -> String {
        "?\(question)\(prefix)offset=\(offset)&\(prefix)limit=\(limit)"
    }

    /// The response with the page.
    package func answer(_ items: [[UInt8]]) -> RezolveResponse {
        answer(Array(items.dropFirst(offset).prefix(limit)), of: items.count)
    }

    /// The response with a page of items that are already selected.
    package func answer(_ shown: [[UInt8]], of total: Int) -> RezolveResponse {
        var json = JSONWriter(reservingCapacity: 1024)
        write(shown, of: total, to: &json)
        return RezolveResponse(body: json.bytes)
    }
}
