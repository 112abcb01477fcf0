// The loop's state of one descriptor. Only the loop's thread uses it.

/// How a wait for readiness ended.
enum Readiness {
    /// The descriptor may be ready; a system call will show.
    case ready
    /// The deadline passed.
    case timedOut
    /// The loop is stopping, and the wait could be abandoned.
    case draining
}

/// One descriptor's entry in a loop's table: its readiness, and the tasks that wait for it.
///
/// Events are edge-triggered: a flag stays set until a system call has found nothing. So most
/// requests cost one `recv` and one `send`, and no change of registration.
final class Registration {
    /// A task that waits for an edge.
    ///
    /// SAFETY: the continuation is resumed once, by the code that removes the waiter.
    @safe struct Waiter {
        let continuation: UnsafeContinuation<Readiness, Never>
        let deadline: UInt64
        let endsOnDrain: Bool
    }

    /// Slot number and generation, which the kernel returns with each event.
    let id: UInt64
    var isReadable = false
    /// The peer is gone or has shut down its side; only reading can show which.
    var isHungUp = false
    /// The kernel has reported that the peer shut down its side or reset the connection; this is
    /// final.
    var hasPeerEnded = false
    /// A `Waker` has ended the current or the next wait for the peer.
    var isWoken = false
    private var reader: Waiter?
    private var writer: Waiter?

    init(id: UInt64) {
        self.id = id
    }

    /// What a task waits for.
    enum Direction {
        case reading, writing
    }

    /// The task that waits in a direction.
    subscript(direction: Direction) -> Waiter? {
        get { direction == .reading ? reader : writer }
        set {
            switch direction {
            case .reading: reader = newValue
            case .writing: writer = newValue
            }
        }
    }
}
