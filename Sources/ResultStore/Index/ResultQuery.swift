// Which results are asked for, and in which order.

/// A question about results.
package struct ResultQuery: Sendable {
    /// By what results are ordered.
    package enum Key: Sendable, Hashable {
        case receivedAt
        case seq
        /// A declared field, without `result.`; only results that have it are listed.
        case result(String)
    }

    package var condition: Condition
    package var key: Key
    package var isDescending: Bool

    /// Newest first, unless it is said otherwise.
    package init(
        _ condition: Condition = .all([]), by key: Key = .receivedAt, isDescending: Bool = true
    ) {
        self.condition = condition
        self.key = key
        self.isDescending = isDescending
    }

    /// The text after which a cursor must have been given out: the question as the client wrote it,
    /// so that `-15m` stays the same question.
    package var source = ""

    /// A number that is the same for equal questions only, practically.
    var fingerprint: UInt32 {
        let order = "\(key) \(isDescending)"
        let asked = source.isEmpty ? "\(condition)" : source
        return Checksum.crc32(Array("\(order)\n\(asked)".utf8)[...])
    }
}
