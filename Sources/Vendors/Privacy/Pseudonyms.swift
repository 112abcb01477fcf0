// The replacement of a masked value: equal for equal values, and revealing nothing else.
//
// Invariant: a number becomes a number on the same side of its field's bounds, so that results stay
// queryable and keep their verdict; any other text becomes text that is marked as masked. Left out:
// the keyed digest, which the caller provides.

import JSON
import Text

/// Makes pseudonyms with a keyed digest.
public struct Pseudonyms: Sendable {
    /// The prefix of pseudonyms of texts.
    public static let prefix = "masked:"

    private let digest: @Sendable ([UInt8]) -> UInt64

    /// - Parameter digest: 64 bits that depend on a secret key and on all of the bytes; without the
    ///   key it must be infeasible to compute, because measurements are easily guessed.
    public init(digest: @escaping @Sendable ([UInt8]) -> UInt64) {
        self.digest = digest
    }

    /// The pseudonym of a text; an empty text and a pseudonym stay unchanged.
    func text(for value: some Collection<UInt8>) -> [UInt8] {
        if value.isEmpty || value.starts(with: Self.prefix.utf8) { return Array(value) }
        let digits = Hexadecimal.text(digest(Array("t".utf8) + value), digits: 16)
        return Array((Self.prefix + digits).utf8)
    }

    /// The pseudonym of a decoded value of `field`.
    ///
    /// A number gets nine decimals: within the field's bounds, or from 0 to 1000 without bounds;
    /// one outside the bounds stays outside. A word that the contract lists becomes `unknown` if
    /// the contract lists that.
    func value(for value: some Collection<UInt8>, of field: ContractField) -> [UInt8] {
        let text = Array(value)
        if let number = Self.number(text) { return self.number(for: number, in: field.range) }
        let word = String(decoding: text, as: UTF8.self)
        if field.values.contains("unknown"), field.values.contains(word) {
            return Array("unknown".utf8)
        }
        return self.text(for: text)
    }

    /// The value of a text that is a JSON number; nil for other texts.
    static func number(_ text: [UInt8]) -> Double? {
        guard JSONNumber.scan(text.span, from: 0, end: text.count) == .number(end: text.count)
        else { return nil }
        return JSONNumber.double(text)
    }

    /// Equal numbers have equal pseudonyms, however they are written.
    private func number(for value: Double, in range: ClosedRange<Double>?) -> [UInt8] {
        let hash = digest(Array("n\(value + 0)".utf8))
        let bounds = range ?? 0...Self.span
        let (lower, upper) =
            value < bounds.lowerBound
            ? (bounds.lowerBound - Self.span, bounds.lowerBound - 1)
            : value > bounds.upperBound && range != nil
                ? (bounds.upperBound + 1, bounds.upperBound + Self.span)
                : (bounds.lowerBound, bounds.upperBound)
        // Whole billionths: the bounds are whole numbers, at most a few hundred.
        let first = Int(lower) * Self.billion
        let count = UInt64((Int(upper) - Int(lower)) * Self.billion)
        let billionths = first + Int(hash % count)
        let digits = String(billionths.magnitude % UInt(Self.billion))
        return Array(
            ((billionths < 0 ? "-" : "") + String(billionths.magnitude / UInt(Self.billion)) + "."
                + String(repeating: "0", count: 9 - digits.count) + digits).utf8)
    }

    private static let billion = 1_000_000_000

    /// The range of pseudonyms for a field without bounds.
    private static let span: Double = 1000
}
