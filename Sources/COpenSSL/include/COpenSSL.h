// What Swift can't import from OpenSSL: macros, callbacks, and a BIO of our own.
//
// Functions that make something return NULL when that fails, the others a value >= 0 or one of
// the negative constants. Octets and strings that are passed in are lent for the call. A handle
// is freed by its own function and by nothing else; nothing is allocated for the caller.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    // The descriptor must become readable, or writable, before the same call is made again.
    copenssl_wants_read = -1,
    copenssl_wants_write = -2,
    // The peer has said that it sends nothing more, or is gone.
    copenssl_closed = -3,
    // The error queue of the calling thread says why: take it at once.
    copenssl_failed = -4,

    copenssl_certificate_unreadable = -5,
    copenssl_key_unreadable = -6,
    copenssl_key_mismatch = -7,
    copenssl_ocsp_malformed = -8,
    copenssl_authorities_unreadable = -9,
};

// Writes why the last call on this thread failed, NUL-terminated, and empties the error queue.
void copenssl_take_reason(char *text, size_t capacity);

// Overwrites octets in a way that no compiler leaves out.
void copenssl_wipe(void *octets, size_t count);

// ---- ticket keys -------------------------------------------------------------------------

typedef struct copenssl_tickets copenssl_tickets;

// Random keys, or NULL. May be used by many threads and many servers at once.
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

// Asks clients for certificates that one of `pem`'s authorities signed. Before any identity.
int copenssl_server_verify(
    copenssl_server *server, int verification, const unsigned char *pem, size_t count);

// Adds a certificate chain, leaf first, and its key; the first one added is the default.
int copenssl_server_add(
    copenssl_server *server, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count);

// Staples an OCSP response to the identity that was added last.
int copenssl_server_staple(copenssl_server *server, const unsigned char *der, size_t count);

// Of the identity that was added as number `identity`: its host name number `host` as written in
// the certificate, NULL behind the last one; when it expires, in Unix seconds.
const char *copenssl_server_host(const copenssl_server *server, int identity, int host);
int64_t copenssl_server_expiry(const copenssl_server *server, int identity);

// All sessions must have been freed.
void copenssl_server_free(copenssl_server *server);

// ---- clients -----------------------------------------------------------------------------

typedef struct copenssl_client copenssl_client;

// A client that trusts the system's authorities until it is told others.
copenssl_client *copenssl_client_new(void);
int copenssl_client_trust(copenssl_client *client, const unsigned char *pem, size_t count);
int copenssl_client_identify(
    copenssl_client *client, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count);

// Offers these protocols (ALPN): each name behind an octet with its length; none at all for 0.
int copenssl_client_offer(copenssl_client *client, const unsigned char *protocols, size_t count);

// Offers nothing newer than TLS 1.2.
int copenssl_client_limit_to_12(copenssl_client *client);

// All sessions must have been freed.
void copenssl_client_free(copenssl_client *client);

// ---- sessions ----------------------------------------------------------------------------

typedef struct copenssl_session copenssl_session;

// A session over a descriptor that doesn't block and stays the caller's, or NULL.
copenssl_session *copenssl_session_accept(copenssl_server *server, int fd);

// `host`: a name or an IP address, which the server's certificate must cover.
copenssl_session *copenssl_session_connect(copenssl_client *client, int fd, const char *host);
void copenssl_session_free(copenssl_session *session);

// 0 once the handshake is complete.
int copenssl_session_handshake(copenssl_session *session);
ssize_t copenssl_session_read(copenssl_session *session, void *buffer, size_t capacity);

// How many octets were taken, often fewer than `count`. A call that was refused must be made again
// with the same octets, which may lie elsewhere by then. `has_more`: more is written at once, so
// that the kernel may hold a short packet back.
ssize_t copenssl_session_write(
    copenssl_session *session, const void *octets, size_t count, int has_more);

// Sends close_notify where that is still possible; 0 when there is nothing left to do.
int copenssl_session_shutdown(copenssl_session *session);

// Says that the descriptor may have something to receive: until then, nothing is received again
// once a recv came short. `hung_up`: the peer has shut down its side, so that a short recv is not
// the end, and no event will come for it.
void copenssl_session_may_receive(copenssl_session *session, int hung_up);

// 0 when reading can't give anything before the descriptor is readable again.
int copenssl_session_may_read(const copenssl_session *session);

// As copenssl_take_reason, with what the session knows besides.
void copenssl_session_take_reason(copenssl_session *session, char *text, size_t capacity);

// 1 when the handshake failed because the peer's first octets were an HTTP request.
int copenssl_session_spoke_http(const copenssl_session *session);
int copenssl_session_is_resumed(const copenssl_session *session);
const char *copenssl_session_version(const copenssl_session *session);

// NULL without one. Valid as long as the session.
const char *copenssl_session_server_name(const copenssl_session *session);

// Writes the subject of the peer's certificate as RFC 4514 spells it, NUL-terminated and cut off
// where it doesn't fit; its length, 0 without a certificate.
int copenssl_session_peer_subject(
    const copenssl_session *session, char *text, size_t capacity);

#endif
