// libcurl's multi interface: many transfers on one thread.

import CCurl

/// libcurl's handle of all transfers.
///
/// SAFETY: `@unchecked Sendable`, because `wake` alone is used beyond the client's thread, and libcurl
/// allows that; the handle is never freed.
@safe
struct ClientHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Loads libcurl when it is first needed.
    ///
    /// Throws `unavailable`.
    init() throws(ClientError) {
        if let reason = unsafe ccurl_load() {
            throw .unavailable(reason: unsafe String(cString: reason))
        }
        guard let made = unsafe ccurl_client_new() else {
            throw .unavailable(reason: "no memory is left")
        }
        unsafe pointer = made
    }

    /// Ends the wait of `run`.
    func wake() {
        unsafe ccurl_client_wake(pointer)
    }

    /// Waits until there is something to do, `wake` is called or the time is over, and does it.
    func run(waitingFor milliseconds: Int32) {
        unsafe ccurl_client_run(pointer, milliseconds)
    }

    /// A transfer that has ended, once for each, with the errno where one is the cause.
    ///
    /// It must not have been freed.
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
