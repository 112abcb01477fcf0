// Text for people and log collectors, on the standard streams of the process. Writing never traps
// and raises no signal, whatever the other end is: a closed pipe, a full disk or a pipe that is not
// read causes a short write.

import CLinux

/// A standard stream of the process.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Opens `/dev/null` for standard streams that are closed.
    ///
    /// Must run before anything else is opened, because the first descriptors would get their
    /// numbers.
    package static func openMissing() { _ = clinux_open_missing_streams() }

    /// Makes writing to a pipe without a reader an error instead of a signal that ends the process.
    package static func ignoreBrokenPipes() { clinux_ignore_broken_pipes() }

    /// The terminal's width in columns; nil if the stream isn't a terminal.
    package var columns: Int? {
        let result = clinux_terminal_columns(rawValue)
        return result < 0 ? nil : Int(result)
    }

    /// Writes, waiting for a slow reader up to `milliseconds`; -1 for no limit.
    ///
    /// - Returns: number of bytes written; fewer than all if the time is over or writing fails.
    @discardableResult
    package func write(_ bytes: [UInt8], within milliseconds: Int32 = -1) -> Int {
        // SAFETY: the pointer is used within the closure, for the array's own size.
        unsafe bytes.withUnsafeBytes {
            unsafe clinux_write_within(rawValue, $0.baseAddress, $0.count, milliseconds)
        }
    }
}
