// Shared by the files of this target and Tests/CTestClient; not visible to Swift.
#ifndef COPENSSL_INTERNAL_H
#define COPENSSL_INTERNAL_H

#include "COpenSSL.h"

#include <openssl/ssl.h>

struct copenssl_server {
    copenssl_tickets *tickets;  // owned by the caller; must outlive this
    int verification;
    X509_STORE *authorities;
    STACK_OF(X509_NAME) *authority_names;
    unsigned char session_scope[32];
    struct copenssl_identity *identities;
    int count;
};

// A session's state is also that of its BIO, which has none of its own.
struct copenssl_session {
    SSL *ssl;
    int fd;
    int system_error;  // of recv or send; 0 if none
    int receives;      // number of recv calls in the current call
    unsigned int is_drained : 1;     // the last recv took everything available
    unsigned int is_hung_up : 1;     // a short recv doesn't mean that
    unsigned int has_ended : 1;      // recv returned 0
    unsigned int is_starved : 1;     // OpenSSL has used all input, and needs more
    unsigned int is_broken : 1;      // failed: OpenSSL must not be called again
    unsigned int has_unsent : 1;     // a part of a record was sent, the rest wasn't
    unsigned int has_more : 1;       // more is written at once: the kernel may wait for it
    unsigned int is_shut : 1;        // close_notify was sent
    unsigned int spoke_http : 1;
};

// ---- COpenSSL.c --------------------------------------------------------------------------

// Reads a chain, leaf first, and its key, and checks that they match. On success the caller frees
// all three.
int copenssl_read_identity(
    const unsigned char *chain, size_t chain_count, const unsigned char *key, size_t key_count,
    X509 **leaf, STACK_OF(X509) **rest, EVP_PKEY **private_key);

// All certificates of a PEM bundle, which the caller frees; NULL if it is empty or contains an
// unreadable one.
STACK_OF(X509) *copenssl_read_certificates(const unsigned char *pem, size_t count);

// A store that trusts the certificates, or NULL.
X509_STORE *copenssl_make_store(STACK_OF(X509) *certificates);

// Settings of every context: versions, suites, groups, buffers. Returns 1 or 0.
int copenssl_configure(SSL_CTX *context);

// Empties the error queue; every call does this before it calls OpenSSL.
int copenssl_fail(int code);

// ---- Tickets.c ---------------------------------------------------------------------------

// The implementation of OpenSSL's callback for tickets.
int copenssl_tickets_use(
    copenssl_tickets *tickets, int is_tls13, unsigned char *name, unsigned char *iv,
    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int encrypts);

// ---- Server.c ----------------------------------------------------------------------------

// The initial context of a connection to a server: that of the default identity.
SSL_CTX *copenssl_server_context(const copenssl_server *server);

// ---- Session.c ---------------------------------------------------------------------------

// A new session, which the caller makes a server's or a client's; NULL on failure.
copenssl_session *copenssl_session_make(SSL_CTX *context, int fd);

#endif
