// What one round of maintenance did.

/// The result of one round of maintenance.
package struct MaintenanceReport: Sendable, Equatable {
    /// Results that retention erased.
    package struct Expired: Sendable, Equatable {
        init() {}

        /// Erased by reason: by age, by the number of their inbox's results, or by the size of all
        /// files.
        package var byAge = 0
        package var byCount = 0
        package var byBytes = 0

        /// Requests that no route took, which are erased first.
        package var strays = 0

        /// Results erased by number or size that no contract had matched.
        package var unmatched = 0

        /// The inboxes that lost results by number or size.
        package var inboxes: Set<String> = []

        /// Total of all reasons.
        var count: Int { byAge + byCount + byBytes + strays }
    }

    /// Results that retention erased.
    package var expired = Expired()

    /// Number of results that retention erased.
    package var expiredResults: Int { expired.count }

    /// Number of erased lines that were removed from the disk.
    package var removedLines = 0

    /// Number of segments that were rewritten or removed.
    package var rewrittenSegments = 0

    /// Number of segments that were merged into another one.
    package var mergedSegments = 0

    /// Why the index was rebuilt because it didn't match the files; nil if it matched.
    package var rebuildReason: String?

    /// Number of segments that were compressed, including those that were rewritten anyway.
    package var compressedSegments = 0

    /// Size of these segments' files before and after, in bytes.
    package var bytesBefore: Int64 = 0
    package var bytesAfter: Int64 = 0

    /// Segments that could not be processed, and why.
    package var failures: [StoreError] = []

    /// Makes the report of a round that did nothing.
    package init() {}

    /// Whether there was nothing to do.
    package var isEmpty: Bool { self == MaintenanceReport() }
}
