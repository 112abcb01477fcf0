// Copies, loads and searches of many bytes at once, for everything that reads or writes messages.
//
// Invariant: bounds are checked once, before the bytes are accessed. Swift has safe functions for
// single bytes only, so this code is marked unsafe.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Span<UInt8> {
    /// Eight bytes as a little-endian number; there must be eight.
    @inlinable @inline(__always)
    package func word(at start: Int) -> UInt64 {
        precondition(start >= 0 && count &- start >= 8, "eight bytes are read past the end")
        // SAFETY: the eight bytes are within the text, and any eight bytes are a number.
        return unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
    }

    /// Whether the bytes from `start` to `end` equal `other`, in O(size).
    @inlinable
    package func equals(_ other: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard end - start == other.count else { return false }
        // SAFETY: `memcmp` reads both texts alone, which have the same length.
        return unsafe extracting(start..<end).withUnsafeBufferPointer { bytes in
            unsafe other.withUnsafeBufferPointer { others in
                // Neither has an address if it is empty.
                guard let first = bytes.baseAddress, let other = others.baseAddress else {
                    return true
                }
                return unsafe memcmp(first, other, bytes.count) == 0
            }
        }
    }

    /// The place of the first `byte` in the range from `start` to before `end`; `end` if the range
    /// doesn't contain it.
    ///
    /// O(size).
    package func place(of byte: UInt8, from start: Int, to end: Int) -> Int {
        guard start < end else { return end }
        // SAFETY: `memchr` reads the part alone, which checks its bounds, and finds a place in it.
        return unsafe extracting(start..<end).withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress,
                let found = unsafe memchr(first, CInt(byte), bytes.count)
            else { return end }
            return unsafe start + (UnsafeRawPointer(found) - UnsafeRawPointer(first))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes, for which there must be room.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity, "no room for bytes to append")
        // SAFETY: there is room, and nothing else can access it while it is borrowed.
        unsafe withUnsafeMutableBufferPointer { output, count in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                // Neither has an address if it is empty.
                guard let start = output.baseAddress, let first = bytes.baseAddress else { return }
                unsafe (start + count).initialize(from: first, count: bytes.count)
            }
            count += bytes.count
        }
    }

    /// Appends the UTF-8 of a text, for which there must be room.
    @inlinable @inline(__always)
    package mutating func append(text: String) { append(copying: text.utf8.span) }
}

extension [UInt8] {
    /// Appends the UTF-8 of a text.
    ///
    /// `append(contentsOf:)` counts references to the text, which takes longer than some thirty
    /// bytes do.
    @inlinable
    package mutating func append(text: String) {
        append(copying: text.utf8.span)
    }

    /// Appends bytes of another owner, without counting references to it.
    @inlinable
    package mutating func append(copying bytes: Span<UInt8>) {
        append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
    }
}
