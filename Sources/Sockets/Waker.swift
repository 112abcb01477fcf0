// Ends a socket's wait for its peer from another task of the same loop.
//
// Invariant: used on the loop's thread only, like the socket itself.

/// Ends a wait that `Socket.waitForWake` has begun, or is about to begin.
///
/// SAFETY: `@unchecked Sendable`, because the registration is touched by the loop's thread only:
/// `wake` checks that.
package struct Waker: @unchecked Sendable {
    let registration: Registration
    let loop: EventLoop

    /// Ends the wait; a second call changes nothing.
    ///
    /// Must be called on the socket's loop.
    package func wake() {
        loop.wake(registration)
    }
}
