// What one round of maintenance did.

/// The result of one round of maintenance.
package struct MaintenanceReport: Sendable, Equatable {
    /// Results that retention erased.
    package struct Expired: Sendable, Equatable {
        /// Erased by reason: by age, by the number of their inbox's results, or by the size of all
        /// files.
        package internal(set) var byAge = 0
        package internal(set) var byCount = 0
        package internal(set) var byBytes = 0

        /// Requests that no route took, which are erased first.
        package internal(set) var strays = 0

        /// Results erased by number or size that no contract had matched.
        package internal(set) var unmatched = 0

        /// The inboxes that lost results by number or size.
        package internal(set) var inboxes: Set<String> = []

        /// Total of all reasons.
        package var count: Int { byAge + byCount + byBytes + strays }
    }

    /// Results that retention erased.
    package internal(set) var expired = Expired()

    /// Number of results that retention erased.
    package var expiredResults: Int { expired.count }

    /// Number of erased lines that were removed from the disk.
    package internal(set) var removedLines = 0

    /// Number of segments that were rewritten or removed.
    package internal(set) var rewrittenSegments = 0

    /// Number of segments that were merged into another one.
    package internal(set) var mergedSegments = 0

    /// Why the index was rebuilt because it didn't match the files; nil if it matched.
    package internal(set) var rebuildReason: String?

    /// Number of segments that were compressed, including those that were rewritten anyway.
    package internal(set) var compressedSegments = 0

    /// Size of these segments' files before and after, in bytes.
    package internal(set) var bytesBefore: Int64 = 0
    package internal(set) var bytesAfter: Int64 = 0

    /// Segments that could not be processed, and why.
    package internal(set) var failures: [StoreError] = []

    /// Whether there was nothing to do.
    package var isEmpty: Bool { self == MaintenanceReport() }
}
