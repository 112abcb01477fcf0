// What the store tells the program that opened it, as it happens.

/// Something that needs to be logged, or acted upon.
package enum StoreEvent: Sendable, Equatable {
    /// Nobody knows what the disk holds: the process must end. Told once, by whatever met it first.
    case diskFailed(StoreError)

    /// A segment's file was removed, replaced or changed by others; nothing is acknowledged into it any
    /// more.
    case segmentLost(String)

    /// The index is made anew.
    case indexDamaged(reason: String)

    /// The index could not be made anew, which is tried again.
    case indexNotRebuilt(StoreError)

    /// The index answers again; it has been made anew from so many records.
    case indexRebuilt(records: Int)

    /// The clock is so many milliseconds ahead of the records, or of the time since the last look: no
    /// result is erased on its word. Told when that begins.
    case clockDistrusted(milliseconds: Int64)
}
