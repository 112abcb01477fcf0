// Logs the store's events, and what its opening found. This is the one place where a failed sync
// ends the process, whatever it was doing.

import Foundation
import Logging
import ResultStore

extension StoreEvent {
    /// Logs the event; does not return after a failed sync.
    func handle(_ log: Logger) {
        switch self {
        case .diskFailed(let error):
            // The content of the disk is unknown: no waiting client may get a response. The next
            // start reads what is there.
            log.critical(
                "the disk can't be trusted any more: exiting", metadata: ["reason": "\(error)"])
            exit(Exit.syncFailed.rawValue)
        case .segmentLost(let segment):
            log.error(
                "a segment was removed, replaced or changed by another program",
                metadata: ["segment": "\(segment)"])
        case .segmentsNotChecked(let error):
            log.error(
                "could not check for missing segments",
                metadata: ["reason": "\(error)"])
        case .indexDamaged(let reason):
            log.error("rebuilding the index", metadata: ["reason": "\(reason)"])
        case .indexNotRebuilt(let error):
            log.error("the index could not be rebuilt", metadata: ["reason": "\(error)"])
        case .indexRebuilt(let records):
            log.notice("the index is complete", metadata: ["records_read": "\(records)"])
        case .damageFound(let damage): damage.log(to: log)
        case .clockJumped(let milliseconds):
            log.error(
                "the clock jumped: until it is right, results expire by the time that has passed",
                metadata: ["seconds_ahead": "\(milliseconds / 1000)"])
        case .addressNotNoted(let reason):
            log.warning(
                """
                could not record that the database was reached: the server can't start while the \
                database is down
                """,
                metadata: ["reason": "\(reason)"])
        case .databaseLost(let error):
            log.error("the database can't be used", metadata: ["reason": "\(error)"])
        case .databaseFound: log.notice("the database can be used again")
        case .locksShort(let setting, let advised):
            let values: Logger.Metadata = ["setting": "\(setting)", "advised": "\(advised)"]
            log.warning("little room for locks: raise max_locks_per_transaction", metadata: values)
        case .maintenanceHeld(let holder):
            let holder: Logger.Metadata = ["holder": "\(holder)"]
            log.warning("another program's maintenance takes minutes", metadata: holder)
        case .spoolBegun(let error):
            log.error(
                "callbacks wait on this machine until the database can store them",
                metadata: ["reason": "\(error)"])
        case .spoolDrained(let records):
            let count: Logger.Metadata = ["records": "\(records)"]
            log.notice("callbacks that waited for the database were stored", metadata: count)
        case .spoolNotDrained(let error):
            let reason: Logger.Metadata = ["reason": "\(error)"]
            log.error("callbacks that wait for the database can't be stored", metadata: reason)
        case .spoolDamaged(let folder, let reason):
            log.error(
                "a spooled callback is damaged and lost; its folder is kept",
                metadata: ["folder": "\(folder)", "reason": "\(reason)"])
        }
    }
}

extension RecoveryReport {
    /// Logs what the files have lost: the last lines, a torn end, and damaged stretches.
    func logLosses(to log: Logger) {
        if let missing {
            log.error(
                "the files end before the index did: results or erasures are missing",
                metadata: ["last_seq": "\(missing.last)", "indexed_seq": "\(missing.known)"])
        }
        if let torn {
            log.warning(
                "a torn end was cut off and kept",
                metadata: ["path": "\(torn.path)", "bytes": "\(torn.size)"])
        }
        for damage in damage { damage.log(to: log) }
    }
}

extension RecoveryReport.Damage {
    /// Logs a stretch of a segment without a valid record.
    fileprivate func log(to log: Logger) {
        log.error(
            "part of a segment holds no valid record",
            metadata: ["segment": "\(segment)", "offset": "\(offset)", "bytes": "\(size)"])
    }
}
