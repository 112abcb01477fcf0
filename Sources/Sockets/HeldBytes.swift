// Bytes that are sent again and again, kept where the kernel can send them from by itself. Under TLS
// they have to pass through the process, so they are kept as bytes too.

import CLinux

/// Immutable bytes with a file in memory behind them, where they are many.
package final class HeldBytes: Sendable {
    package let bytes: [UInt8]

    private let file: Descriptor?

    /// The file's number, which lives as long as this; nil where copying costs less than a further
    /// system call, and where there is no such file.
    let fileNumber: Int32?

    /// Holds bytes.
    ///
    /// O(bytes).
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= Limits.heldFileBytes else {
            file = nil
            fileNumber = nil
            return
        }
        // SAFETY: the pointer is used within the closure, with the array's count.
        let number = unsafe bytes.withUnsafeBytes { raw in
            unsafe clinux_memory_file(raw.baseAddress, raw.count)
        }
        file = number >= 0 ? Descriptor(adopting: number) : nil
        fileNumber = number >= 0 ? number : nil
    }
}
