// The query parameters of the API: each may occur once, and none is ignored.

import HTTP1
import LinkPatterns

/// The parameters of one API request; the endpoint takes them one by one.
package struct QueryParameters: Sendable {
    private var values: [String: String] = [:]
    private var taken: [String] = []
    package private(set) var findings: [Problem.Finding] = []
    /// Number of findings that are left out.
    private var further = 0

    /// Maximum number of findings: each has the names of all known parameters.
    package static let mostFindings = 16

    /// The query as it was written.
    package let text: String

    /// Parses a query as forms and `curl --data-urlencode` write it: a plus sign is a space.
    ///
    /// Repeated parameters, and those that can't be decoded, become findings.
    package init(_ request: Request) { self.init(query: request.query ?? []) }

    /// Parses the text of a query, without its question mark.
    package init(query: ArraySlice<UInt8>) {
        text = String(decoding: query, as: UTF8.self)
        if query.isEmpty { return }
        for piece in query.split(separator: UInt8(ascii: "&")) {
            let spaced = piece.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            let items = Link(path: [], query: spaced[...])?.query ?? []
            guard let item = items.first else {
                add("query", "Part of the query can't be percent-decoded.")
                continue
            }
            if values.updateValue(item.value ?? "", forKey: item.name) != nil {
                add(item.name, "Give this parameter once.")
            }
        }
    }

    /// A converted value; nil if it is absent or invalid, and then `expected` becomes a finding.
    package mutating func take<Value>(
        _ name: String, expected: String, _ convert: (String) -> Value?
    ) -> Value? {
        taken.append(name)
        guard let text = values[name] else { return nil }
        let value = convert(text)
        if value == nil { add(name, "Expected \(expected).") }
        return value
    }

    /// A value that must be in a list; nil if it is absent or invalid.
    package mutating func take(_ name: String, oneOf allowed: [String]) -> String? {
        take(name, expected: "one of \(allowed.joined(separator: ", "))") {
            allowed.contains($0) ? $0 : nil
        }
    }

    /// A whole number in a range.
    package mutating func take(_ name: String, in range: ClosedRange<Int>) -> Int? {
        take(name, expected: "a number from \(range.lowerBound) to \(range.upperBound)") {
            guard let number = Int($0), "\(number)" == $0 else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    /// A Boolean.
    package mutating func takeFlag(_ name: String) -> Bool? {
        take(name, expected: "true or false") { Bool($0) }
    }

    /// Adds a finding if a parameter is present that only similar endpoints support.
    package mutating func refuse(_ name: String, _ detail: String) {
        if values.removeValue(forKey: name) != nil { add(name, detail) }
    }

    /// Throws a finding for each parameter: the endpoint has none.
    package func requireNone() throws(Problem) {
        var parameters = self
        try parameters.finish()
    }

    /// Throws all findings, including one for each parameter that was never taken.
    package mutating func finish() throws(Problem) {
        for name in values.keys.sorted() where !taken.contains(name) {
            let known =
                taken.isEmpty
                ? "this route takes none" : "known parameters: \(taken.joined(separator: ", "))"
            add(name, "Unknown parameter; \(known).")
        }
        if findings.isEmpty { return }
        let names =
            findings.map(\.name).joined(separator: ", ")
            + (further > 0 ? " and \(further) more" : "")
        throw Problem(
            status: .badRequest, kind: "invalid-parameter",
            detail: "Invalid query parameter: \(names).", findings: findings)
    }

    /// The given names with a prefix, in alphabetical order.
    ///
    /// - Parameter form: what such names look like, for the list of known parameters.
    package mutating func names(beginningWith prefix: String, known form: String) -> [String] {
        taken.append(form)
        return values.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// The parameters except `names`, in a fixed order: a cursor is valid for this text.
    package func source(without names: Set<String>) -> String {
        values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    }

    package mutating func add(_ name: String, _ detail: String, at position: Int? = nil) {
        if findings.count < Self.mostFindings {
            findings.append(Problem.Finding(name: name, detail: detail, position: position))
        } else {
            further += 1
        }
    }
}
