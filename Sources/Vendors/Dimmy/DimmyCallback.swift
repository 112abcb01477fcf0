// The callback of Dimmy before it became Flux, as a typed value (vendor document 1.2).
//
// Invariant: reading the output of `callbackQuery` gives the same value. Left out: cancelled and
// failed flows, for which this Dimmy sends nothing.

import JSON

/// A finished flow of the `dimmy-2024` contract.
public struct DimmyCallback: Sendable, Equatable {
    /// The scanned item.
    public var item: ScannedItem

    /// The partner's own parameters in the callback's query, by name; each name once, and none of
    /// `response`, `status` and `error`.
    public var context: [String: String]

    /// Creates a callback.
    public init(_ item: ScannedItem, context: [String: String] = [:]) {
        self.item = item
        self.context = context
    }

    /// Reads the value of a decoded callback; nil if it is not an item of this contract.
    public init?(_ decoding: Decoding) {
        guard decoding.contract == .dimmy2024, let root = decoding.document?.root,
            let item = root["item"]
        else { return nil }
        self.init(
            ScannedItem(reading: item[0] ?? item, usually: .snakeCase),
            context: root.strings(in: "context"))
    }

    /// The callback's own parameters, and `response` as the vendor's demo writes it: standard
    /// Base64 with padding and without escapes, so that `+`, `/` and `=` occur.
    public var callbackQuery: [UInt8] {
        var query = QueryWriter()
        for (name, value) in context.sorted(by: { $0.key < $1.key }) { query.add(name, value) }
        query.add("response", escaped: Base64Text.encode(item.json(), urlSafe: false))
        return query.bytes
    }
}
