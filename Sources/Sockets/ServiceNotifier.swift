// What the program reports to the service manager that started it: readiness, its end, and signs of
// life (sd_notify(3)). Without a service manager, nothing happens. Left out: states of other kinds.

import CLinux

/// The service manager, if there is one.
package struct ServiceNotifier: Sendable {
    /// A state that is reported.
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
        case alive = "WATCHDOG=1"
    }

    /// The manager's socket; nil without a service manager.
    private let path: String?

    /// Interval between two signs of life: half of what the manager allows; nil if it expects none.
    package let interval: Duration?

    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
    ///
    /// - Parameter process: the id of this process; a watchdog for another one is ignored.
    package init(_ environment: [String: String], process: Int32) {
        let path = environment["NOTIFY_SOCKET"].flatMap { text in
            text.hasPrefix("/") || text.hasPrefix("@") ? text : nil
        }
        self.path = path
        let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        interval = path != nil && isOurs && microseconds > 1 ? .microseconds(microseconds / 2) : nil
    }

    /// Reports a state; false if it could not be sent, or if there is no manager.
    @discardableResult
    package func report(_ state: State) -> Bool {
        guard let path else { return false }
        let text = Array(state.rawValue.utf8)
        // SAFETY: both buffers live for the call, and the count is that of the array.
        let result = unsafe path.withCString { path in
            unsafe text.withUnsafeBytes { bytes in
                unsafe clinux_send_datagram(path, bytes.baseAddress, bytes.count)
            }
        }
        return result >= 0
    }
}
