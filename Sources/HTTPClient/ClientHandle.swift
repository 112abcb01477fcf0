// libcurl's multi interface: many transfers on one thread.

import CCurl

/// libcurl's handle of all transfers.
///
/// Only `wake` is used outside of the client's thread, which libcurl allows. Never freed.
@safe
struct ClientHandle: @unchecked Sendable {  // SAFETY: other threads only call `wake`.
    let pointer: OpaquePointer

    /// Loads libcurl on first use.
    ///
    /// Throws `unavailable`.
    init() throws(ClientError) {
        if let reason = unsafe ccurl_load() {
            throw .unavailable(reason: unsafe String(cString: reason))
        }
        guard let made = unsafe ccurl_client_new() else {
            throw .unavailable(reason: "out of memory")
        }
        unsafe pointer = made
    }

    /// Ends the wait in `run`.
    func wake() {
        unsafe ccurl_client_wake(pointer)
    }

    /// Waits until a transfer is ready, `wake` is called or the time is over; then runs the
    /// transfers.
    func run(waitingFor milliseconds: Int32) {
        unsafe ccurl_client_run(pointer, milliseconds)
    }

    /// The next transfer that has ended, once for each, with the errno that caused it, if any.
    ///
    /// The transfer must not have been freed.
    func takeEnded() -> (transfer: Transfer, outcome: ccurl_outcome, errno: Int32)? {
        var outcome = ccurl_done
        var code: Int32 = 0
        // SAFETY: the context is the transfer, which lives until its handle is freed.
        guard let context = unsafe ccurl_client_take_ended(pointer, &outcome, &code) else {
            return nil
        }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return (transfer, outcome, code)
    }
}
