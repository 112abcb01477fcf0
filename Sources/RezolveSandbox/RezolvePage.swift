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
    static let longest = 100

    package let offset: Int
    package let limit: Int

    /// Prefix of this list's parameters, if a response has several lists.
    private let prefix: String

    /// The vendor's names for the number of a page, from 1 on, and for its length.
    package typealias VendorNames = (number: String, length: String)
    /// The other parameters, as a query.
    private let question: String

    /// Reads `offset`, default 0, and `limit`, default 20.
    ///
    /// Throws the vendor's error for malformed requests unless both are numbers in range.
    ///
    /// - Parameter names: the vendor's parameters that say the same.
    package init(
        _ request: RezolveRequest, prefix: String = "", or names: VendorNames? = nil
    ) throws(RezolveRefusal) {
        self.prefix = prefix
        let own = ["\(prefix)offset", "\(prefix)limit", names?.number, names?.length, "scenario"]
        let length = try Self.number(names?.length, 1...Self.longest, request)
        let limit = try Self.number("\(prefix)limit", 1...Self.longest, request) ?? length ?? 20
        let number = try Self.number(names?.number, 1...10_000, request) ?? 1
        let offset = try Self.number("\(prefix)offset", 0...1_000_000, request)
        (self.limit, self.offset) = (limit, offset ?? (number - 1) * limit)
        question =
            request.query
            .filter { !own.contains($0.name) }
            .map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)&" }.joined()
    }

    private static func number(
        _ name: String?, _ range: ClosedRange<Int>, _ request: RezolveRequest
    ) throws(RezolveRefusal) -> Int? {
        guard let name, let text = request[name] else { return nil }
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
    ///
    /// - Parameter name: the member that holds the items.
    func write(_ items: [[UInt8]], as name: String = "items", to json: inout JSONWriter) {
        let shown = Array(items.dropFirst(offset).prefix(limit))
        write(shown, as: name, of: items.count, to: &json)
    }

    /// Writes a page of items that are already selected.
    ///
    /// - Parameter total: number of items in the whole list.
    func write(
        _ shown: [[UInt8]], as name: String = "items", of total: Int, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("count", shown.count)
            json.member("total", total)
            json.object("links") { json in
                json.member("next", offset + limit < total ? link(offset + limit) : nil)
                json.member("prev", offset > 0 ? link(max(0, offset - limit)) : nil)
            }
            json.array(name) { json in
                for item in shown { json.raw(item) }
            }
        }
    }

    private func link(_ offset: Int) -> String {
        "?\(question)\(prefix)offset=\(offset)&\(prefix)limit=\(limit)"
    }

    /// The response with the page.
    func answer(_ items: [[UInt8]], as name: String = "items") -> RezolveResponse {
        answer(Array(items.dropFirst(offset).prefix(limit)), as: name, of: items.count)
    }

    /// The response with a page of items that are already selected.
    package func answer(
        _ shown: [[UInt8]], as name: String = "items", of total: Int
    ) -> RezolveResponse {
        var json = JSONWriter(reservingCapacity: 1024)
        write(shown, as: name, of: total, to: &json)
        return RezolveResponse(body: json.bytes)
    }
}
