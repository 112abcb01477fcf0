// The parts of OpenSSL that Swift can't import: macros, callbacks, and a BIO of our own.
//
// Functions that create something return NULL on failure, the others a value >= 0 or one of the
// negative constants. Octets and strings in arguments are only used during the call. A handle is
// freed only by its own function; nothing is allocated for the caller.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    // The descriptor must become readable, or writable, before the same call is repeated.
    copenssl_wants_read = -1,
    copenssl_wants_write = -2,
    // The peer has sent its closing alert, or is gone.
    copenssl_closed = -3,
    // The calling thread's error queue contains the reason: read it at once.
    copenssl_failed = -4,

    copenssl_certificate_unreadable = -5,
    copenssl_key_unreadable = -6,
    copenssl_key_mismatch = -7,
    copenssl_ocsp_malformed = -8,
    copenssl_authorities_unreadable = -9,
    copenssl_key_encrypted = -10,
};

// Writes why the last call on this thread failed, NUL-terminated, and empties the error queue.
void copenssl_take_reason(char *text, size_t capacity);

// Overwrites octets in a way that no compiler optimises out.
void copenssl_wipe(void *octets, size_t count);

// What a client may mind in a server's chain.
enum {
    // It doesn't lead to an authority that the client knows.
    copenssl_issuer_unknown = 0,
    // A certificate has expired, or isn't valid yet.
    copenssl_out_of_date = 1,
    // Anything else: a certificate isn't for servers, say.
    copenssl_unsuitable = 2,
};

// 0 if a client that knows `authorities` (PEM), or the system's if `authority_count` is 0, doesn't
// mind this `kind` of fault in the server's certificate and in its issuers, which follow it in
// `chain`; 1 and the reason, NUL-terminated, if it does.
int copenssl_check_chain(
    const unsigned char *chain, size_t count, const unsigned char *authorities,
    size_t authority_count, int kind, char *reason, size_t capacity);

// ---- ticket keys -------------------------------------------------------------------------

typedef struct copenssl_tickets copenssl_tickets;

// Random keys, or NULL. Many threads and servers can use them at once.
copenssl_tickets *copenssl_tickets_new(void);
int copenssl_tickets_rotate(copenssl_tickets *tickets);
void copenssl_tickets_free(copenssl_tickets *tickets);

// ---- servers -----------------------------------------------------------------------------

typedef struct copenssl_server copenssl_server;

enum {
    copenssl_verify_none = 0,
    copenssl_verify_optional = 1,
    copenssl_verify_required = 2,
};

// A server without identities. `tickets` must outlive it.
copenssl_server *copenssl_server_new(copenssl_tickets *tickets);

// Asks clients for certificates signed by one of the authorities in `pem`. Call it before adding
// identities.
int copenssl_server_verify(
    copenssl_server *server, int verification, const unsigned char *pem, size_t count);

// Adds a certificate chain, leaf first, and its key; the first one added is the default.
int copenssl_server_add(
    copenssl_server *server, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count);

// Staples an OCSP response to the last added identity, until the response ends; one about other
// certificates isn't used.
int copenssl_server_staple(copenssl_server *server, const unsigned char *der, size_t count);

// Data of the identity with the index `identity`: the one with the index `host` of its DNS names,
// as in the certificate, and then its addresses, NULL after the last; its end, in Unix seconds.
const char *copenssl_server_host(const copenssl_server *server, int identity, int host);
int64_t copenssl_server_expiry(const copenssl_server *server, int identity);

// The end of its OCSP response, in Unix seconds: INT64_MAX if it has no end, 0 if none suits.
int64_t copenssl_server_ocsp_end(const copenssl_server *server, int identity);

// All sessions must have been freed.
void copenssl_server_free(copenssl_server *server);

// ---- sessions ----------------------------------------------------------------------------

typedef struct copenssl_session copenssl_session;

// A session over a non-blocking descriptor that the caller keeps, or NULL.
copenssl_session *copenssl_session_accept(copenssl_server *server, int fd);
void copenssl_session_free(copenssl_session *session);

// 0 when the handshake is complete.
int copenssl_session_handshake(copenssl_session *session);
ssize_t copenssl_session_read(copenssl_session *session, void *buffer, size_t capacity);

// Number of octets sent, often fewer than `count`. After a call that wants to read or write, the
// next one must pass the same octets, possibly at another address. `has_more`: more is written at
// once, so the kernel may delay a short packet.
ssize_t copenssl_session_write(
    copenssl_session *session, const void *octets, size_t count, int has_more);

// Sends close_notify if that is still possible; 0 when there is nothing left to do.
int copenssl_session_shutdown(copenssl_session *session);

// Records that the descriptor may be readable; without this, nothing is received after a short
// recv. `hung_up`: the peer has shut down its side, so a short recv is not the end, and no event
// will follow.
void copenssl_session_may_receive(copenssl_session *session, int hung_up);

// 0 if reading can't return anything before the descriptor is readable again.
int copenssl_session_may_read(const copenssl_session *session);

// Like copenssl_take_reason, with what the session knows in addition.
void copenssl_session_take_reason(copenssl_session *session, char *text, size_t capacity);

// 1 if the handshake failed because the peer's first octets were an HTTP request.
int copenssl_session_spoke_http(const copenssl_session *session);

#endif
