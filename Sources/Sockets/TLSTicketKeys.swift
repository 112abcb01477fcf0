// Keys of session tickets. They exist in memory only, so recorded traffic can't be decrypted with a
// stolen disk; a restart costs each client one full handshake.

import COpenSSL

/// The keys that encrypt session tickets, shared by all contexts of a server.
///
/// A context that replaces another on a reload uses the same keys, so clients can still resume.
@safe
package final class TLSTicketKeys: @unchecked Sendable {  // SAFETY: the shim locks the keys.
    let handle: OpaquePointer

    /// Makes a random key.
    ///
    /// Throws `library`.
    package init() throws(TLSError) {
        guard let handle = unsafe copenssl_tickets_new() else { throw .lastOnThread() }
        // SAFETY: the handle is freed by `deinit` only, when it is no longer used.
        unsafe self.handle = handle
    }

    deinit {
        unsafe copenssl_tickets_free(handle)
    }

    /// Replaces the encrypting key by a random one; the two keys before it still decrypt.
    ///
    /// A ticket is valid for two hours, so every ticket can be used for all of them unless keys are
    /// replaced more often than once an hour. Can be called from any thread.
    ///
    /// Throws `library`; the keys are then unchanged.
    package func rotate() throws(TLSError) {
        try TLSError.check(unsafe copenssl_tickets_rotate(handle))
    }
}
