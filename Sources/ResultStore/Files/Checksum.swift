// CRC-32, as in zlib and gzip, of a part of a stored line.

import CZlib
import Text

/// The checksum of a stored line.
enum Checksum {
    /// CRC-32 (ISO-HDLC, as in zlib) of `bytes`.
    ///
    /// O(bytes).
    static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        // SAFETY: the pointer is used within the closure, for the slice's own size, which a line's
        // bound keeps far below 4 GiB.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            UInt32(
                truncatingIfNeeded: unsafe CZlib.crc32(0, buffer.baseAddress, UInt32(buffer.count)))
        }
    }

    /// Appends eight hexadecimal digits.
    static func append(_ checksum: UInt32, to output: inout [UInt8]) {
        var shift: UInt32 = 32
        while shift > 0 {
            shift -= 4
            output.append(Hexadecimal.digit(UInt8(truncatingIfNeeded: checksum >> shift & 0xF)))
        }
    }
}
