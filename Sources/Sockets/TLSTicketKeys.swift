// Keys of session tickets. They live in memory only, so that nobody who takes a disk can open what
// was recorded; a restart costs each client one full handshake.

import COpenSSL

/// The keys that encrypt session tickets, shared by all contexts of a server.
///
/// A context that replaces another on a reload uses the same ones, so clients still resume.
///
/// SAFETY: `@unchecked Sendable`, because the shim guards the keys with a lock.
@safe
package final class TLSTicketKeys: @unchecked Sendable {
    let handle: OpaquePointer

    /// Makes a random key.
    ///
    /// Throws `library`.
    package init() throws(TLSError) {
        guard let handle = unsafe copenssl_tickets_new() else { throw .lastOnThread() }
        // SAFETY: the handle is freed by `deinit` only, when nobody can use it any more.
        unsafe self.handle = handle
    }

    deinit {
        unsafe copenssl_tickets_free(handle)
    }

    /// Replaces the key that encrypts by a random one; the two before it still decrypt.
    ///
    /// A ticket is good for two hours, so a rotation an hour lets every ticket live as long as it
    /// may. May be called from any thread.
    ///
    /// Throws `library`; the keys are as before then.
    package func rotate() throws(TLSError) {
        try TLSError.check(unsafe copenssl_tickets_rotate(handle))
    }
}
