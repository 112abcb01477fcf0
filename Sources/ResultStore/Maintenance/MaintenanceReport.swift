// What keeping the store tidy has done.

/// What one round of maintenance did.
package struct MaintenanceReport: Sendable, Equatable {
    /// Results that are kept no longer.
    package struct Expired: Sendable, Equatable {
        /// For which reason they were erased: their age, the number of their inbox's results, or the
        /// bytes of all files.
        package internal(set) var byAge = 0
        package internal(set) var byCount = 0
        package internal(set) var byBytes = 0

        /// Requests that no route took, which go before anything else.
        package internal(set) var strays = 0

        /// Those by number or bytes that no contract had matched.
        package internal(set) var unmatched = 0

        /// The inboxes that have lost results for the last two reasons.
        package internal(set) var inboxes: Set<String> = []

        /// All of them.
        package var count: Int { byAge + byCount + byBytes + strays }
    }

    /// What retention has erased.
    package internal(set) var expired = Expired()

    /// How many results retention has erased.
    package var expiredResults: Int { expired.count }

    /// Erased lines that are gone from the disk now.
    package internal(set) var removedLines = 0

    /// Segments that were written anew or removed.
    package internal(set) var rewrittenSegments = 0

    /// Segments that have become part of another one.
    package internal(set) var mergedSegments = 0

    /// Why the index was made anew, because it did not fit the files; nil when it did.
    package internal(set) var rebuildReason: String?

    /// Segments that were compressed, those among them that were rewritten anyway.
    package internal(set) var compressedSegments = 0

    /// Bytes that the files of these segments had, and have now.
    package internal(set) var bytesBefore: Int64 = 0
    package internal(set) var bytesAfter: Int64 = 0

    /// Segments that could not be dealt with, and why.
    package internal(set) var failures: [StoreError] = []

    /// Whether there was anything to do.
    package var isEmpty: Bool { self == MaintenanceReport() }
}
