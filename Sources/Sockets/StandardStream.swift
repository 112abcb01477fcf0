// Text for people and for log collectors, on the streams that the process was started with. Whatever is
// at their other end, writing never traps and raises no signal: a reader that has gone, a disk that is
// full and a pipe that nobody reads make a write short.

import CLinux

/// A standard stream of the process.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Opens `/dev/null` in the place of standard streams that are closed.
    ///
    /// Must come before anything else is opened: the first descriptors would get their numbers.
    package static func openMissing() { _ = clinux_open_missing_streams() }

    /// Makes a pipe without a reader an error of a write; without this, it ends the process.
    package static func ignoreBrokenPipes() { clinux_ignore_broken_pipes() }

    /// Writes, and waits for a slow reader as long as `milliseconds` allow; -1 waits for ever.
    ///
    /// - Returns: how many bytes were written; fewer than all when the time is over or writing fails.
    @discardableResult
    package func write(_ bytes: [UInt8], within milliseconds: Int32 = -1) -> Int {
        // SAFETY: the pointer is used within the closure, for the array's own size.
        unsafe bytes.withUnsafeBytes {
            unsafe clinux_write_within(rawValue, $0.baseAddress, $0.count, milliseconds)
        }
    }
}
