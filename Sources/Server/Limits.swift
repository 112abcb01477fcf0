// Sizes and intervals of the server, each with its unit. What a user may set is in `Configuration`.

/// Limits of the server.
package enum Limits {
    /// How often the process's memory is looked at.
    static let heapInterval = Duration.seconds(1)

    /// Bytes of memory up to which the heap is left alone.
    static let untrimmedBytes: Int64 = 64 * 1024 * 1024

    /// Bytes of growth after which the heap is trimmed at the next look.
    static let heapGrowthBytes: Int64 = 8 * 1024 * 1024

    /// Looks after which the heap of a large process is trimmed in any case.
    static let heapLooks = 5

    /// How long a process that takes over may leave the store unlocked before the former server opens
    /// it again.
    package static let successorPatience = Duration.seconds(10)

    /// Requests that no route takes which are kept at once, and then each second.
    package static let strayBurst = 100
    package static let straysPerSecond = 10

    /// The same of one address (IPv6: one /64) that is not this machine's.
    package static let strayBurstOfAddress = 20
    package static let straysPerSecondOfAddress = 2

    /// Bytes of them that are kept at once, and then each second.
    package static let strayBurstBytes = 16 * 1024 * 1024
    package static let strayBytesPerSecond = 256 * 1024

    /// Addresses whose strays are counted; while more of them send some, no further one's are kept.
    package static let strayAddresses = 1024

    /// Milliseconds that the greeting waits for somebody to read it.
    package static let greetingMilliseconds: Int32 = 1000
}
