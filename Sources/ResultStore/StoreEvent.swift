// Events that the store reports to the program that opened it.

/// Something that must be logged or acted upon.
package enum StoreEvent: Sendable, Equatable {
    /// A sync failed, so the content of the disk is unknown: the process must end.
    ///
    /// Reported once, by the first failed operation.
    case diskFailed(StoreError)

    /// A segment's file was removed, replaced or changed by another process; no more records are
    /// written to it.
    case segmentLost(String)

    /// It could not be checked whether all segments are there; the store checks again later.
    case segmentsNotChecked(StoreError)

    /// The index is damaged and is being rebuilt.
    case indexDamaged(reason: String)

    /// The index could not be rebuilt; the store tries again.
    case indexNotRebuilt(StoreError)

    /// The index has been rebuilt or completed, and is available.
    case indexRebuilt(records: Int)

    /// A stretch of a segment without a valid record, found while the index was rebuilt or completed.
    case damageFound(RecoveryReport.Damage)

    /// The clock is this far ahead of the records, or of the time since the last check; until it
    /// is plausible again, results expire by the time that has really passed.
    ///
    /// Reported when this begins.
    case clockJumped(milliseconds: Int64)

    /// The store could not record in the data folder that it had reached the database.
    case addressNotNoted(reason: String)

    /// The database can't be used; the store tries again.
    case databaseLost(StoreError)

    /// The database can be used again.
    case databaseFound

    /// The database's setting `max_locks_per_transaction` is too low for the number of days.
    case locksShort(setting: Int, advised: Int)

    /// Another program has done maintenance of the database for minutes, or hangs; `holder` is its
    /// process there.
    ///
    /// Reported again while this lasts.
    case maintenanceHeld(holder: String)

    /// The database can't store records, so from now on they wait on this machine.
    case spoolBegun(StoreError)

    /// Records that waited for the database are in it.
    case spoolDrained(records: Int)

    /// Records that wait for the database can't be read, or their folder can't be removed.
    case spoolNotDrained(StoreError)

    /// Of records that waited for the database, one is damaged: the others are in it, and the folder
    /// is kept.
    case spoolDamaged(folder: String, reason: String)
}
