// The media types that a client accepts, with their weights (RFC 9110 §12.5.1).
//
// Invariant: of several ranges that match a type, the most specific one counts, whatever the order.
// Left out: parameters of media types; a range with parameters counts like the type alone.

import HTTP1
import Text

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

    /// Maximum number of ranges that are considered; the others are ignored.
    package static let mostRanges = 100

    /// The ranges as received.
    private let ranges: [(name: ArraySlice<UInt8>, weight: Int)]

    /// Reads the fields of a request, in O(their size).
    package init(_ request: Request) {
        self.init(request.values(.accept))
    }

    /// Reads the values of `Accept`.
    package init(_ values: [ArraySlice<UInt8>]) {
        var ranges: [(name: ArraySlice<UInt8>, weight: Int)] = []
        for value in values {
            let left = Self.mostRanges - ranges.count
            let members = value.split(separator: UInt8(ascii: ","), maxSplits: left)
            for member in members.prefix(left) {
                let name = member.drop(while: \.isBlank).prefix(while: Self.isInside)
                ranges.append((name, Self.weight(member[name.endIndex...]) ?? 1000))
            }
        }
        self.ranges = ranges
    }

    /// The weight `q` among the parameters of a range (RFC 9110 §12.4.2); nil if absent or invalid.
    private static func weight(_ parameters: ArraySlice<UInt8>) -> Int? {
        var rest = parameters
        while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
            rest = rest[(semicolon + 1)...].drop(while: \.isBlank)
            if rest.prefix(2).equalsIgnoringCase("q=".utf8) {
                return QualityValue.thousandths(rest.dropFirst(2).prefix(while: Self.isInside))
            }
        }
        return nil
    }

    /// Whether a byte belongs to a value: a blank or `;` ends it.
    private static func isInside(_ byte: UInt8) -> Bool {
        !byte.isBlank && byte != UInt8(ascii: ";")
    }

    /// How the media type `name`, in lower case, matches; nil if no range matches it.
    ///
    /// O(ranges).
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

    private static func specificity(of range: ArraySlice<UInt8>, for name: String) -> Int? {
        if range.equalsIgnoringCase(name.utf8) { return 3 }
        if range.elementsEqual("*/*".utf8) { return 1 }
        let type = range.dropLast()
        return range.last == UInt8(ascii: "*") && type.last == UInt8(ascii: "/")
            && type.equalsIgnoringCase(name.utf8.prefix(type.count)) ? 2 : nil
    }
}
