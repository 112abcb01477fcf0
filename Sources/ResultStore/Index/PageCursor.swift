// Where a page ended. Opaque to clients: only its equality and its lifetime are promised.

import Clocks

/// A place between two results, newest first, of one filter.
package struct PageCursor: Sendable, Equatable {
    /// Time and number of the last result that was given out.
    let receivedAt: Timestamp
    let sequence: Int
    private let fingerprint: UInt32

    init(receivedAt: Timestamp, sequence: Int, filter: ResultFilter) {
        self.receivedAt = receivedAt
        self.sequence = sequence
        fingerprint = filter.fingerprint
    }

    /// Reads what `text` gave; nil when it isn't a cursor.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[0], radix: 36),
            let sequence = Int(parts[1], radix: 36),
            let fingerprint = UInt32(parts[2], radix: 36)
        else { return nil }
        receivedAt = Timestamp(unixMilliseconds: milliseconds)
        self.sequence = sequence
        self.fingerprint = fingerprint
    }

    /// The form that clients get, of letters, digits, dots and a possible minus.
    package var text: String {
        [
            String(receivedAt.unixMilliseconds, radix: 36), String(sequence, radix: 36),
            String(fingerprint, radix: 36),
        ].joined(separator: ".")
    }

    /// Whether this cursor was given out for an equal filter.
    package func belongs(to filter: ResultFilter) -> Bool {
        fingerprint == filter.fingerprint
    }
}
