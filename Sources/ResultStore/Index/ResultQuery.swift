// A query for results: the condition and the order.

/// A query for results.
package struct ResultQuery: Sendable {
    /// What results are ordered by.
    package enum Key: Sendable, Hashable {
        case receivedAt
        case seq
        /// A declared field, without `result.`; only results that have it are listed.
        case result(String)
    }

    package var condition: Condition
    package var key: Key
    package var isDescending: Bool

    /// Orders by newest first unless specified.
    package init(
        _ condition: Condition = .all([]), by key: Key = .receivedAt, isDescending: Bool = true
    ) {
        self.condition = condition
        self.key = key
        self.isDescending = isDescending
    }

    /// The query as the client wrote it, to which a cursor belongs.
    ///
    /// With the original text, `-15m` stays the same query at a later time.
    package var source = ""

    /// A hash that, in practice, is the same for equal queries only.
    var fingerprint: UInt32 {
        let order = "\(key) \(isDescending)"
        let asked = source.isEmpty ? "\(condition)" : source
        return Checksum.crc32(Array("\(order)\n\(asked)".utf8)[...])
    }
}
