// Inflates the gzip format (RFC 1952) in pieces, as they arrive from a peer.
//
// Invariant: the output never exceeds the limits by a byte, and neither the content nor the error
// depends on how the input was split. zlib checks each member's CRC-32 and length. Left out: the
// content of headers (name, time, comment); the zlib format and raw deflate.

import CZlib

/// Inflates a sequence of gzip members to one content (RFC 1952 §2.2).
///
/// Uses 7 KiB of memory, and 32 KiB more after its first output.
///
/// Can't be copied, so it is the only owner of the memory that its pointer refers to.
@safe
package struct Inflater: ~Copyable,
    @unchecked Sendable  // SAFETY: only one owner at a time.
{
    private let stream: UnsafeMutablePointer<z_stream>

    private let limit: Int
    private let ratio: Int

    /// Bytes of content so far, from all members.
    private var produced = 0

    /// Bytes of input that zlib has taken so far.
    private var consumed = 0

    /// Whether the last member has ended, and no byte of another has arrived.
    private var isBetweenMembers = false

    private var failure: GzipError?

    /// zlib's largest window, and gzip's header and trailer around the data.
    private static let windowBits: Int32 = 15 + 16

    /// Bytes of output capacity added at a time.
    private static let roomBytes = 16 * 1024

    /// Begins a content.
    ///
    /// - Parameters:
    ///   - limit: maximum bytes of the whole content.
    ///   - ratio: maximum bytes of content for one byte of input, after the first
    ///     `Gzip.Limits.uncountedBytes`.
    package init(limit: Int, ratio: Int = Gzip.Limits.inflationRatio) {
        self.limit = max(limit, 0)
        self.ratio = max(ratio, 0)
        // SAFETY: zlib keeps the stream's address, so the stream has its own allocation, freed in
        // `deinit` after `inflateEnd`; zero is the initial state that zlib requires. Nothing else
        // has this pointer.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        // The only possible failure is lack of memory, which ends the process in Swift's own
        // allocations too.
        precondition(status == Z_OK, "zlib has no memory")
    }

    deinit {
        // SAFETY: the stream was initialised by `init` and has not been freed.
        unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Appends the inflated content of `input`, the next piece, to `output`.
    ///
    /// Throws `malformed`, `tooLarge` or `ratio`, and the same error on later calls; what was
    /// inflated before the error is still appended. O(input + output).
    package mutating func inflate(
        _ input: [UInt8], into output: inout [UInt8]
    ) throws(GzipError) {
        if let failure { throw failure }
        var offset = 0
        var isOutputPending = false
        while offset < input.count || isOutputPending {
            let room = self.room
            let step = step(input, from: offset, into: &output, room: room)
            offset += step.taken
            // zlib may have more output after it has filled the room.
            isOutputPending = room > 0 && step.made == room && !isBetweenMembers
            failure = step.error
            if let failure { throw failure }
        }
    }

    /// Ends the input.
    ///
    /// Throws `truncated` unless the last member is complete, or the error that `inflate` threw.
    package mutating func finish() throws(GzipError) {
        if let failure { throw failure }
        guard isBetweenMembers else {
            failure = .truncated
            throw .truncated
        }
    }

    /// Bytes of content that may be produced before zlib takes more input; 0 if none may.
    private var room: Int {
        min(Self.roomBytes, limit - produced, allowance - produced)
    }

    /// Bytes of content allowed for the input so far.
    private var allowance: Int {
        let (counted, isTooLarge) = consumed.multipliedReportingOverflow(by: ratio)
        let (sum, isTooLargeStill) = counted.addingReportingOverflow(Gzip.Limits.uncountedBytes)
        return isTooLarge || isTooLargeStill ? .max : sum
    }

    /// Lets zlib inflate once, up to `room` bytes.
    ///
    /// Without room it continues as far as possible: a limit is exceeded only if there is input of
    /// which zlib can't take any. This way the result doesn't depend on how far zlib reads ahead of
    /// its output.
    private mutating func step(
        _ input: [UInt8], from offset: Int, into output: inout [UInt8], room: Int
    ) -> (taken: Int, made: Int, error: GzipError?) {
        if isBetweenMembers {
            // SAFETY: the stream is initialised; its input and output are set below.
            unsafe inflateReset(stream)
            isBetweenMembers = false
        }
        let size = UInt32(clamping: input.count - offset)
        var made = 0
        var status = Z_OK
        let stream = unsafe stream
        // SAFETY: `offset` and `size` are within the input, and `room` is the capacity added to the
        // output. Neither moves within its closure, and zlib isn't called with their addresses
        // again.
        unsafe input.withUnsafeBufferPointer { bytes in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress.map { unsafe $0 + offset })
            unsafe stream.pointee.avail_in = size
            // At least one byte: zlib treats a null address as an error.
            output.append(addingCapacity: max(room, 1)) { span in
                unsafe span.withUnsafeMutableBufferPointer { buffer, count in
                    unsafe stream.pointee.next_out = buffer.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(room)
                    status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                    made = unsafe room - Int(stream.pointee.avail_out)
                    count = made
                }
            }
        }
        let taken = unsafe Int(size - stream.pointee.avail_in)
        produced += made
        consumed += taken
        isBetweenMembers = status == Z_STREAM_END
        let error: GzipError? =
            switch status {
            case Z_OK, Z_STREAM_END: nil
            // zlib made no progress: either it needs input, which is not an error, or it needs
            // room.
            case Z_BUF_ERROR where size == 0: nil
            case Z_BUF_ERROR where room == 0: produced == limit ? .tooLarge : .ratio
            default: .malformed
            }
        return (taken, made, error)
    }
}

/// Why input can't be inflated.
package enum GzipError: Error, Sendable, Equatable {
    /// The input is not in the gzip format, a checksum or length is wrong, or the data after the
    /// last member isn't a member.
    case malformed
    /// The input inflates to more than the limit.
    case tooLarge
    /// The input's compression ratio is so high that it is considered an attack.
    case ratio
    /// The input ends before its last member does, or is empty.
    case truncated
}
