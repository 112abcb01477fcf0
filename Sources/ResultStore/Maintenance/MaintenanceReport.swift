// What keeping the store tidy has done.

/// What one round of maintenance did.
package struct MaintenanceReport: Sendable, Equatable {
    /// Results that were erased because of their age, of the size of all, or of their inbox's.
    package internal(set) var expiredResults = 0

    /// Erased lines that are gone from the disk now.
    package internal(set) var removedLines = 0

    /// Segments that were written anew or removed.
    package internal(set) var rewrittenSegments = 0

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
