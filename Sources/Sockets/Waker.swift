// Ends a socket's wait for its peer from another task of the same loop.
//
// Invariant: used on the loop's thread only, like the socket itself.

/// Ends the current or the next wait of `Socket.waitForWake`.
///
/// Only the loop's thread uses the registration.
package struct Waker: @unchecked Sendable {  // SAFETY: `wake` checks the thread.
    let registration: Registration
    let loop: EventLoop

    /// Ends the wait; a second call has no effect.
    ///
    /// Must be called on the socket's loop.
    package func wake() {
        loop.wake(registration)
    }
}
