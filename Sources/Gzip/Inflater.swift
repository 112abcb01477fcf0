// The gzip format (RFC 1952) inflated piece by piece, as the pieces come from a peer.
//
// Invariant: what comes out never exceeds the limits by a byte, and neither the content nor the
// error depends on where the input was cut. zlib checks each member's CRC-32 and length. Left out:
// what headers say (name, time, comment); the zlib format and bare deflate.

import CZlib

/// A reader of gzip members in a row, which inflate to one content (RFC 1952 §2.2).
///
/// Uses 7 KiB of memory, and 32 KiB more from its first output on.
///
/// SAFETY: `@unchecked Sendable`, because this value can't be copied and is the only owner of the
/// memory that its pointer names.
@safe package struct Inflater: ~Copyable, @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    private let limit: Int
    private let ratio: Int

    /// Bytes of content so far, of all members.
    private var produced = 0

    /// Bytes of input that zlib has taken so far.
    private var consumed = 0

    /// Whether the last member has ended, and nothing of another has come.
    private var isBetweenMembers = false

    private var failure: GzipError?

    /// zlib's largest window, and gzip's header and trailer around the data.
    private static let windowBits: Int32 = 15 + 16

    /// Bytes of output that room is made for at a time.
    private static let roomBytes = 16 * 1024

    /// Begins a content.
    ///
    /// - Parameters:
    ///   - limit: bytes of the whole content.
    ///   - ratio: how many bytes of content one byte may become, behind the first
    ///     `Gzip.Limits.uncountedBytes`.
    package init(limit: Int, ratio: Int = Gzip.Limits.inflationRatio) {
        self.limit = max(limit, 0)
        self.ratio = max(ratio, 0)
        // SAFETY: zlib keeps the stream's address, so it has a place of its own in memory, given
        // back in `deinit` after zlib has let go of it; zero is the initial state that zlib asks
        // for. Nothing else has this pointer.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        // Only memory can be missing, for which Swift's own allocations end the process too.
        precondition(status == Z_OK, "zlib has no memory")
    }

    deinit {
        // SAFETY: the stream was initialised by `init` and has not been freed before.
        unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Appends to `output` what `input`, the next piece, inflates to.
    ///
    /// Throws `malformed`, `tooLarge` or `ratio`, and the same again if it is called again; what
    /// was inflated before is appended all the same. O(input + output).
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
            // zlib may hold more behind a room that it has filled.
            isOutputPending = room > 0 && step.made == room && !isBetweenMembers
            failure = step.error
            if let failure { throw failure }
        }
    }

    /// Says that no more input comes.
    ///
    /// Throws `truncated` unless the last member was whole; what `inflate` threw, if it did.
    package mutating func finish() throws(GzipError) {
        if let failure { throw failure }
        guard isBetweenMembers else {
            failure = .truncated
            throw .truncated
        }
    }

    /// Bytes of content that may come out before zlib takes more input; 0 when it must do without.
    private var room: Int {
        min(Self.roomBytes, limit - produced, allowance - produced)
    }

    /// Bytes of content that the input so far may become.
    private var allowance: Int {
        let (counted, isTooLarge) = consumed.multipliedReportingOverflow(by: ratio)
        let (sum, isTooLargeStill) = counted.addingReportingOverflow(Gzip.Limits.uncountedBytes)
        return isTooLarge || isTooLargeStill ? .max : sum
    }

    /// Lets zlib inflate once, into `room` bytes at the most.
    ///
    /// Without room it goes on as far as it can: a limit is exceeded only when there is input and
    /// zlib can't take any of it. How far zlib is ahead of its output would depend on the cuts.
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
        // SAFETY: `offset` and `size` are within the input and `room` is what was made behind the
        // output; both stand still in their closures, and zlib isn't called with their addresses
        // again.
        unsafe input.withUnsafeBufferPointer { bytes in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress.map { unsafe $0 + offset })
            unsafe stream.pointee.avail_in = size
            // Never no place at all: zlib takes a null address for a mistake.
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
            // zlib could do nothing: for want of input, which is no fault, or of room.
            case Z_BUF_ERROR where size == 0: nil
            case Z_BUF_ERROR where room == 0: produced == limit ? .tooLarge : .ratio
            default: .malformed
            }
        return (taken, made, error)
    }
}
