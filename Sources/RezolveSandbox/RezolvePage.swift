// Lists of the sandbox in pages: `count`, `total`, `links` and `items`, as the vendor's categories have
// them (vendor document 4.7). How pages are asked for is ours: `offset` and `limit`.
//
// Invariant: a link asks the same question as the request that it is in the answer to.

import JSON
import Text
import Vendors

/// A part of a list.
package struct RezolvePage {
    /// Items on a page at the most.
    package static let longest = 100

    package let offset: Int
    package let limit: Int

    /// What the parameters of this list have in front, where there are several lists in an answer.
    private let prefix: String
    /// Everything else that was asked, as a query.
    private let question: String

    /// Reads `offset`, 0 without one, and `limit`, 20 without one.
    ///
    /// Throws the vendor's refusal of malformed requests for what is no number in range.
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

    /// Writes the page of `items`, each of which is JSON text.
    package func write(_ items: [[UInt8]], to json: inout JSONWriter) {
        write(Array(items.dropFirst(offset).prefix(limit)), of: items.count, to: &json)
    }

    /// Writes a page whose items are cut out already.
    ///
    /// - Parameter total: items of the whole list.
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

    /// The page as an answer.
    package func answer(_ items: [[UInt8]]) -> RezolveAnswer {
        answer(Array(items.dropFirst(offset).prefix(limit)), of: items.count)
    }

    /// The page as an answer, whose items are cut out already.
    package func answer(_ shown: [[UInt8]], of total: Int) -> RezolveAnswer {
        var json = JSONWriter(reservingCapacity: 1024)
        write(shown, of: total, to: &json)
        return RezolveAnswer(body: json.bytes)
    }
}
