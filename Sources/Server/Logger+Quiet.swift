// A log for libraries whose messages are not useful.

import Logging

extension Logger {
    /// A log of critical messages only.
    package static var quiet: Logger {
        var log = Logger(label: "landfall.lifecycle")
        log.logLevel = .critical
        return log
    }
}
