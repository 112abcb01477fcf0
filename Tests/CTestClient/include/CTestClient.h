// The client's side of connections, for tests. Its sessions are COpenSSL's own.
//
// Results and memory are as in COpenSSL.h.
#ifndef CTESTCLIENT_H
#define CTESTCLIENT_H

#include "COpenSSL.h"

// Connects to an IP address, blocking for `timeout_ms` at most; the socket is non-blocking
// afterwards. Returns it, or -errno.
int ctestclient_connect(const char *host, uint16_t port, int timeout_ms);

// ---- clients -----------------------------------------------------------------------------

typedef struct ctestclient ctestclient;

// A client without trusted authorities; NULL on failure.
ctestclient *ctestclient_new(void);
int ctestclient_trust(ctestclient *client, const unsigned char *pem, size_t count);
int ctestclient_identify(
    ctestclient *client, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count);

// Offers these protocols (ALPN), each name preceded by an octet with its length; none if the length
// is 0.
int ctestclient_offer(ctestclient *client, const unsigned char *protocols, size_t count);

// Offers nothing newer than TLS 1.2.
int ctestclient_limit_to_12(ctestclient *client);

// All sessions must have been freed.
void ctestclient_free(ctestclient *client);

// ---- sessions ----------------------------------------------------------------------------

// Resumes what the client remembers. `host`: a name or an IP address that the server's certificate
// must cover.
copenssl_session *ctestclient_begin(ctestclient *client, int fd, const char *host);

// Remembers a session after its closing alert, in place of an earlier one. No other thread may use
// the client meanwhile.
void ctestclient_remember(ctestclient *client, const copenssl_session *session);

// What is known of a session, on either side.
int ctestclient_is_resumed(const copenssl_session *session);
const char *ctestclient_version(const copenssl_session *session);

// Returns NULL if the client sent no server name. Valid as long as the session.
const char *ctestclient_server_name(const copenssl_session *session);

// Writes the subject of the peer's certificate in the syntax of RFC 4514, truncated if necessary;
// returns its length, 0 without a certificate.
size_t ctestclient_peer_subject(
    const copenssl_session *session, unsigned char *text, size_t capacity);

#endif
