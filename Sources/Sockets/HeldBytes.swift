// Bytes that are sent again and again, stored in a file from which the kernel can send them. Under
// TLS they have to pass through the process, so they are stored as bytes too.

import CLinux

/// Immutable bytes, with a file in memory if they are many.
package final class HeldBytes: Sendable {
    package let bytes: [UInt8]

    private let file: Descriptor?

    /// The file's descriptor, valid as long as this object; nil if copying costs less than another
    /// system call, or if the file can't be created.
    let fileNumber: Int32?

    /// Stores bytes.
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
