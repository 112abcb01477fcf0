// The bytes that were received and not yet consumed: one contiguous run, so that a head can be
// parsed in place. It grows only on demand; limits on how far belong to the protocol above.

import CLinux

/// Received bytes that wait to be consumed, first in, first out.
package struct ReadBuffer: ~Copyable {
    private var storage: [UInt8]
    private var start = 0
    private var end = 0

    /// Creates a buffer over `storage`, whose content is scratch.
    package init(storage: [UInt8] = []) {
        self.storage = storage
    }

    /// How many bytes wait.
    package var count: Int { end - start }

    /// Whether no bytes wait.
    package var isEmpty: Bool { start == end }

    /// How many bytes the storage holds in all; 0 when the storage was given away.
    package var capacity: Int { storage.count }

    /// Lends the waiting bytes to `read`.
    ///
    /// O(1).
    package func withBytes<Result>(_ read: (Span<UInt8>) -> Result) -> Result {
        read(storage.span.extracting(start..<end))
    }

    /// Appends the first `count` waiting bytes to `output` and consumes them.
    ///
    /// O(count).
    package mutating func move(_ count: Int, to output: inout [UInt8]) {
        output.append(contentsOf: storage[start..<(start + count)])
        consume(count)
    }

    /// Drops the first `count` waiting bytes.
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

    /// Gives the storage away; the buffer is empty afterwards and `capacity` is 0.
    package mutating func takeStorage() -> [UInt8] {
        start = 0
        end = 0
        let taken = storage
        storage = []
        return taken
    }

    /// Puts fresh storage under an empty buffer.
    package mutating func replaceStorage(_ fresh: [UInt8]) {
        storage = fresh
        start = 0
        end = 0
    }

    /// Appends bytes by hand: for tests, which have no socket.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom(bytes.count)
        for byte in bytes {
            storage[end] = byte
            end += 1
        }
    }

    /// Makes room for `minimum` more bytes behind the waiting ones: by moving these to the front
    /// where that is enough, else by doubling.
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
    /// - Returns: the shim's result and how many bytes would have fit.
    mutating func receive(from descriptor: Int32) -> (result: Int, room: Int) {
        var room = 0
        // SAFETY: the pointer is used within the closure only.
        let result = unsafe receive { space in
            room = space.count
            return unsafe clinux_recv(descriptor, space.baseAddress, room)
        }
        return (result, room)
    }

    /// Lends the free space, which is at least a quarter of the capacity, to `fill`, and takes as
    /// many bytes as that returns, where it is not negative.
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
