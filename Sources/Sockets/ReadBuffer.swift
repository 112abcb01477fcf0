// Received bytes that have not been consumed, in one contiguous run, so that a head can be parsed
// in place. It grows only on demand; the protocol above limits how far.

import CLinux

/// Received bytes that have not been consumed; first in, first out.
package struct ReadBuffer: ~Copyable {
    private var storage: [UInt8]
    private var start = 0
    private var end = 0

    /// Creates a buffer that uses `storage`, whose content is ignored.
    package init(storage: [UInt8] = []) {
        self.storage = storage
    }

    /// Number of unconsumed bytes.
    package var count: Int { end - start }

    /// Whether there are no unconsumed bytes.
    package var isEmpty: Bool { start == end }

    /// Size of the storage; 0 after `takeStorage`.
    package var capacity: Int { storage.count }

    /// Calls `read` with the unconsumed bytes.
    ///
    /// O(1).
    package func withBytes<Result>(_ read: (Span<UInt8>) -> Result) -> Result {
        read(storage.span.extracting(start..<end))
    }

    /// Appends the first `count` bytes to `output` and consumes them.
    ///
    /// O(count).
    package mutating func move(_ count: Int, to output: inout [UInt8]) {
        output.append(contentsOf: storage[start..<(start + count)])
        consume(count)
    }

    /// Drops the first `count` bytes.
    ///
    /// O(1).
    ///
    /// Requires `count <= self.count`.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count)
        start += count
        if start == end {
            start = 0
            end = 0
        }
    }

    /// Moves the storage out; the buffer is then empty and `capacity` is 0.
    package mutating func takeStorage() -> [UInt8] {
        start = 0
        end = 0
        let taken = storage
        storage = []
        return taken
    }

    /// Gives an empty buffer new storage.
    package mutating func replaceStorage(_ fresh: [UInt8]) {
        storage = fresh
        start = 0
        end = 0
    }

    /// Appends bytes directly, for tests without a socket.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom(bytes.count)
        for byte in bytes {
            storage[end] = byte
            end += 1
        }
    }

    /// Makes room for `minimum` more bytes, by moving the unconsumed ones to the front if that is
    /// enough, or else by doubling the storage.
    private mutating func makeRoom(_ minimum: Int) {
        if storage.count - end >= minimum { return }
        if start > 0 {
            storage.replaceSubrange(0..<start, with: EmptyCollection())
            storage.append(contentsOf: repeatElement(0, count: start))
            end -= start
            start = 0
        }
        guard storage.count - end < minimum else { return }
        let wanted = max(storage.count * 2, end + minimum, Limits.readBufferBytes)
        storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
    }

    /// Receives once into the free space.
    ///
    /// - Returns: the shim's result, and the size of the free space.
    mutating func receive(from descriptor: Int32) -> (result: Int, room: Int) {
        var room = 0
        // SAFETY: the pointer is used within the closure only.
        let result = unsafe receive { space in
            room = space.count
            return unsafe clinux_recv(descriptor, space.baseAddress, room)
        }
        return (result, room)
    }

    /// Calls `fill` with the free space, which is at least a quarter of the capacity; the result is
    /// the number of bytes received, unless negative.
    mutating func receive(_ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        makeRoom(max(storage.count / 4, 1))
        let offset = end
        // SAFETY: the pointer is used within the closure only, and `offset` is inside the array.
        let result = unsafe storage.withUnsafeMutableBytes { raw in
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: raw[offset...]))
        }
        if result > 0 { end += min(result, storage.count - end) }
        return result
    }
}
