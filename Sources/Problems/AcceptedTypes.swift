// The media types that a client accepts, with their weights (RFC 9110 §12.5.1).
//
// Invariant: of several ranges that match a type, the most specific one counts, whatever the order.
// Left out: parameters of media types; a range with parameters counts like the type alone.

import HTTP1

/// The media ranges of `Accept`.
package struct AcceptedTypes: Sendable {
    /// How a type matches.
    package struct Match: Sendable {
        /// From 0, not acceptable, to 1000.
        package let weight: Int
        /// How closely the matching range describes the type: 3 if it names the type, 2 for `type/*`,
        /// 1 for `*/*`.
        package let specificity: Int
    }

    /// The ranges in lower case.
    private let ranges: [(name: String, weight: Int)]

    /// Reads the fields of a request, in O(their size).
    package init(_ request: Request) {
        self.init(request.values(.accept))
    }

    /// Reads the values of `Accept`.
    package init(_ values: [ArraySlice<UInt8>]) {
        ranges = values.flatMap { $0.split(separator: UInt8(ascii: ",")) }.map { range in
            let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { part in
                    String(decoding: part.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
                        .lowercased()
                }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
                QualityValue.thousandths(Array($0.utf8.dropFirst(2))[...])
            }
            return (parts.first ?? "", weight ?? 1000)
        }
    }

    /// How the media type `name`, in lower case, matches; nil if no range matches it.
    package func match(_ name: String) -> Match? {
        var best: Match?
        for range in ranges {
            guard let specificity = Self.specificity(of: range.name, for: name),
                specificity > best?.specificity ?? 0
            else { continue }
            best = Match(weight: range.weight, specificity: specificity)
        }
        return best
    }

    /// Whether a range other than `*/*` matches the type `name`, with a weight above 0.
    func names(_ name: String) -> Bool {
        match(name).map { $0.weight > 0 && $0.specificity > 1 } ?? false
    }

    private static func specificity(of range: String, for name: String) -> Int? {
        if range == name { return 3 }
        if range == "*/*" { return 1 }
        return range.hasSuffix("/*") && name.hasPrefix(range.dropLast()) ? 2 : nil
    }
}
