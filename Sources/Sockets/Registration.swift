// What a loop knows of one descriptor. Only the loop's thread touches it.

/// How a wait for readiness ended.
enum Readiness {
    /// The descriptor may have something; a system call will tell.
    case ready
    /// The deadline passed.
    case timedOut
    /// The loop is stopping, and the wait was for something that need not come.
    case draining
}

/// One descriptor's place in a loop's table: readiness seen so far, and who waits for more.
///
/// Events are edge-triggered: a flag stays set until a system call found nothing, so most requests
/// cost one `recv` and one `send`, and no change of registration.
final class Registration {
    /// A task that waits for an edge.
    ///
    /// SAFETY: the continuation is resumed once, by whoever takes the waiter out of its place.
    @safe struct Waiter {
        let continuation: UnsafeContinuation<Readiness, Never>
        let deadline: UInt64
        let endsOnDrain: Bool
    }

    /// Slot number and generation, as the kernel gives them back with each event.
    let id: UInt64
    var isReadable = false
    /// The peer is gone or has shut down its side: reading must be tried until it says so.
    var isHungUp = false
    /// The peer has shut down its side or reset the connection: the kernel said so, for good.
    var hasPeerEnded = false
    /// A `Waker` has ended the wait for the peer, or the one that comes next.
    var isWoken = false
    var reader: Waiter?
    var writer: Waiter?

    init(id: UInt64) {
        self.id = id
    }
}
