// Compresses whole contents to the gzip format (RFC 1952) with zlib. With one version of zlib, the
// same content and level give the same bytes: no time and no name are written.

import CZlib

/// Compression to the gzip format.
package enum Gzip {
    /// zlib's `windowBits` for gzip's header and trailer.
    private static let format: Int32 = 16

    /// Bytes by which zlib's lookahead reduces the usable window.
    private static let lookahead = 262

    /// Compresses `bytes` into one member; nil if that wouldn't be smaller.
    ///
    /// - Parameters:
    ///   - level: zlib's, from 1 (fastest) to 9 (smallest).
    ///   - mayGrow: whether to return a member that is larger than `bytes` too.
    ///
    /// O(bytes), and up to 256 KiB of temporary memory. Also nil if zlib has no memory or the level
    /// is invalid, and for 4 GiB or more.
    package static func compress(
        _ bytes: [UInt8], level: Int, mayGrow: Bool = false
    ) -> [UInt8]? {
        // Incompressible content grows by 5 bytes for each 16 KiB, and by header and trailer.
        let room = mayGrow ? bytes.count + bytes.count / 1024 + 64 : bytes.count - 1
        guard let size = UInt32(exactly: bytes.count), let capacity = UInt32(exactly: room),
            capacity > 0, (1...9).contains(level)
        else { return nil }
        // A window of the content's size: zlib clears less memory, so small content takes a third
        // of the time.
        let window = Int32(clamping: Int.bitWidth - (bytes.count + lookahead).leadingZeroBitCount)
        // SAFETY: zero is the initial state that zlib requires. zlib keeps the stream's address
        // until `deflateEnd`, and the stream doesn't move within the closure; nor do the arrays'
        // elements while zlib has their addresses. zlib reads `avail_in` and writes up to
        // `avail_out` bytes, which are the arrays' own.
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
            // Copied, so that a result that is kept for long has no unused capacity.
            return output.isEmpty ? nil : unsafe output.withUnsafeBufferPointer(Array.init)
        }
    }
}
