// Limits and intervals of this target, each with its unit.

import CLinux

/// Limits of the event loop and its buffers.
package enum Limits {
    /// Initial size of a connection's read buffer, and minimum size of a read, in bytes.
    ///
    /// Most requests fit in one; loops pool buffers of exactly this size.
    package static let readBufferBytes = 8 * 1024

    /// Buffers that a loop keeps for reuse (512 × 8 KiB = 4 MiB a loop).
    static let pooledBuffers = 512

    /// Interval of deadline checks in milliseconds: a deadline is up to this much late.
    static let deadlineSweepMilliseconds: UInt64 = 250

    /// Interval of checks whether the stricter write pace applies, in milliseconds.
    static let hurryStepMilliseconds: UInt64 = 500

    /// Maximum events returned by one system call.
    static let eventsPerWait = 256

    /// Threads of a server beside those of which it has one for each processor.
    static let otherThreads: Int32 = 16

    /// Listening sockets of one TCP address; further loops share them.
    ///
    /// One message hands over those of two addresses and a Unix-domain socket.
    package static let listenersOfAddress = (Int(clinux_most_passed_descriptors) - 1) / 2

    /// Time in which a server must send its listening sockets to the process that asks for them, in
    /// milliseconds.
    static let handoverAnswerMilliseconds: Int32 = 10_000

    /// Time in which a process that asked for the listening sockets must ask for release, in
    /// milliseconds.
    static let handoverMilliseconds: UInt64 = 30_000

    /// Bytes of a response that are sent before other tasks of the loop get their turn.
    ///
    /// In one call, the kernel was seen to take up to 5.5 ms for 527 kB, and 0.4 ms for this.
    static let turnBytes = 128 * 1024

    /// Size in bytes from which the kernel sends immutable content from a file in memory.
    static let heldFileBytes = 64 * 1024

    /// Connections that the kernel completes before they are accepted (`listen`'s backlog).
    static let listenBacklog: Int32 = 4096

    /// Number of connections that are accepted before other tasks of the loop get their turn.
    static let acceptsInARow = 32

    /// Open descriptors below which a server doesn't start.
    package static let fewestDescriptors = 64

    /// Descriptors that the process may have for each of its loops, at least; a loop takes two, and
    /// one for each address that it listens on.
    static let descriptorsPerLoop = 64

    /// Connections below which a server is useless.
    static let fewestConnections = 8

    /// Descriptors that connections don't use, because the process needs them: libdispatch's
    /// timers, three more readers of the index with two each, the segment that is written and the
    /// one that is rewritten, folders that are synced, a process that takes over.
    package static let reservedDescriptors = 16

    /// Descriptors that connections don't use, because others need them temporarily: segments that
    /// are read, files that have changed.
    ///
    /// An eighth of the limit, if that is less.
    static let sharedDescriptors = 64

    /// Pause of accepting when the process or the machine has no free descriptors, in milliseconds.
    static let acceptBackOffMilliseconds: UInt64 = 100
}
