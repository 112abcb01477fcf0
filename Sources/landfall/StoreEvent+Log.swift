// Logs the store's events. This is the one place where a failed sync ends the process, whatever it
// was doing.

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
                "the disk can't be trusted any more: the process ends",
                metadata: ["reason": "\(error)"])
            exit(Exit.syncFailed.rawValue)
        case .segmentLost(let segment):
            log.error(
                "a segment was removed, replaced or changed by another program",
                metadata: ["segment": "\(segment)"])
        case .indexDamaged(let reason):
            log.error("the index is made anew", metadata: ["reason": "\(reason)"])
        case .indexNotRebuilt(let error):
            log.error("the index could not be made anew", metadata: ["reason": "\(error)"])
        case .indexRebuilt(let records):
            log.notice("the index was made anew", metadata: ["records": "\(records)"])
        case .clockDistrusted(let milliseconds):
            log.error(
                "the clock has leapt: no result expires by it, until it is right or after a restart",
                metadata: ["seconds_ahead": "\(milliseconds / 1000)"])
        }
    }
}
