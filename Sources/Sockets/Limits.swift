// Sizes and intervals of this target, each with its unit.

/// Limits of the event loop and its buffers.
package enum Limits {
    /// Bytes that a connection's read buffer starts with, and that one system call reads at least.
    ///
    /// Most requests fit whole; buffers of exactly this size are pooled by their loop.
    package static let readBufferBytes = 8 * 1024

    /// Buffers that a loop keeps for reuse (512 × 8 KiB = 4 MiB a loop at the most).
    package static let pooledBuffers = 512

    /// How often deadlines are looked at, in milliseconds: a deadline fires up to this much late.
    package static let deadlineSweepMilliseconds: UInt64 = 250

    /// How often it is asked whether a peer that takes nothing must hurry, in milliseconds.
    static let hurryStepMilliseconds: UInt64 = 500

    /// Events that are taken from the kernel in one system call.
    package static let eventsPerWait = 256

    /// How long a process that asked for the listening sockets may take to ask for release, in
    /// milliseconds.
    package static let handoverMilliseconds: UInt64 = 30_000

    /// Bytes from which on immutable content is sent by the kernel from a file in memory.
    package static let heldFileBytes = 64 * 1024

    /// Connections that the kernel completes before they are accepted (`listen`'s backlog).
    package static let listenBacklog: Int32 = 4096

    /// Open descriptors below which no server starts.
    package static let fewestDescriptors = 64

    /// Connections below which a server is of no use.
    package static let fewestConnections = 8

    /// Descriptors that no connection takes, because the process can't go on without them: those of
    /// libdispatch's timers, three more readers of the index with two each, the segment that is
    /// written and the one that is rewritten, folders that are synced, a process that takes over.
    package static let reservedDescriptors = 16

    /// Descriptors that no connection takes, because others want them for a moment: segments that are
    /// read, files that have changed, deliveries.
    ///
    /// An eighth of the limit where that is less.
    package static let sharedDescriptors = 64

    /// How long accepting pauses when the process or the machine has no descriptors left, in
    /// milliseconds.
    package static let acceptBackOffMilliseconds: UInt64 = 100
}
