// Whole contents into the gzip format (RFC 1952), by zlib. The same content and level give the same
// bytes with one version of zlib: no time and no name are written.

import CZlib

/// Compression into the gzip format.
package enum Gzip {
    /// zlib's `windowBits` for gzip's header and trailer instead of its own.
    private static let format: Int32 = 16

    /// zlib looks so far ahead that a window shows this much less than its size, in bytes.
    private static let lookahead = 262

    /// Compresses `bytes` into one member; nil when that would not be smaller.
    ///
    /// - Parameters:
    ///   - level: zlib's, from 1 for the fastest to 9 for the smallest.
    ///   - mayGrow: whether a member that is larger than `bytes` is wanted too.
    ///
    /// O(bytes), and up to 256 KiB of memory meanwhile. Nil too when zlib has no memory or knows no
    /// such level, and for 4 GiB or more.
    package static func compress(
        _ bytes: [UInt8], level: Int, mayGrow: Bool = false
    ) -> [UInt8]? {
        // What can't be compressed grows by 5 bytes for each 16 KiB, and by header and trailer.
        let room = mayGrow ? bytes.count + bytes.count / 1024 + 64 : bytes.count - 1
        guard let size = UInt32(exactly: bytes.count), let capacity = UInt32(exactly: room),
            capacity > 0, (1...9).contains(level)
        else { return nil }
        // A window as large as the content: zlib clears less memory, and a small one takes a third
        // of the time.
        let window = Int32(clamping: Int.bitWidth - (bytes.count + lookahead).leadingZeroBitCount)
        // SAFETY: zero is the initial state that zlib asks for. zlib keeps the stream's address
        // until `deflateEnd`, and the stream stands still for the whole closure; so do the two
        // arrays' elements while zlib has their addresses. It reads `avail_in` and writes
        // `avail_out` bytes at the most, which are the arrays' own.
        var stream = unsafe z_stream()
        return unsafe withUnsafeMutablePointer(to: &stream) { stream in
            let status = unsafe deflateInit2_(
                stream, Int32(level), Z_DEFLATED, format + min(max(window, 9), 15), 8,
                Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard status == Z_OK else { return nil }
            defer { unsafe deflateEnd(stream) }
            let output = unsafe [UInt8](unsafeUninitializedCapacity: room) {
                buffer, count in
                unsafe bytes.withUnsafeBufferPointer { input in
                    unsafe stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress)
                    unsafe stream.pointee.avail_in = size
                    unsafe stream.pointee.next_out = buffer.baseAddress
                    unsafe stream.pointee.avail_out = capacity
                    let isWhole = unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
                    count = unsafe isWhole ? room - Int(stream.pointee.avail_out) : 0
                }
            }
            // Copied, so that what may be kept for long holds no room for the whole content.
            return output.isEmpty ? nil : unsafe output.withUnsafeBufferPointer(Array.init)
        }
    }
}
