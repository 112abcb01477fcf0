// What the files of this target share. Nothing here is seen by Swift.
#ifndef COPENSSL_INTERNAL_H
#define COPENSSL_INTERNAL_H

#include "COpenSSL.h"

#include <openssl/ssl.h>

struct copenssl_server {
    copenssl_tickets *tickets;  // of the caller, who lets them live longer
    int verification;
    X509_STORE *authorities;
    STACK_OF(X509_NAME) *authority_names;
    unsigned char session_scope[32];
    struct copenssl_identity *identities;
    int count;
};

struct copenssl_client {
    SSL_CTX *context;
    CRYPTO_RWLOCK *lock;  // over the two below
    SSL_SESSION *latest;
    char *latest_host;
};

// A session's state is the BIO's, too: the BIO has nothing of its own.
struct copenssl_session {
    SSL *ssl;
    copenssl_client *client;  // NULL in a server
    char *host;               // NULL in a server
    int fd;
    int system_error;         // of recv or send; 0 without
    int receives;             // recvs of the call that runs
    unsigned int is_drained : 1;     // the last recv took all there was
    unsigned int is_hung_up : 1;     // short recvs don't say that it did
    unsigned int has_ended : 1;      // recv gave 0
    unsigned int is_starved : 1;     // OpenSSL has used all it got, and wants more
    unsigned int is_broken : 1;      // failed: OpenSSL must not be called again
    unsigned int has_unsent : 1;     // part of a record is out, the rest is not
    unsigned int has_more : 1;       // more is written at once: the kernel may wait for it
    unsigned int is_shut : 1;        // close_notify is out
    unsigned int spoke_http : 1;
};

// ---- COpenSSL.c --------------------------------------------------------------------------

// Reads a chain, leaf first, and its key, and checks that they fit each other. On success the
// caller frees all three.
int copenssl_read_identity(
    const unsigned char *chain, size_t chain_count, const unsigned char *key, size_t key_count,
    X509 **leaf, STACK_OF(X509) **rest, EVP_PKEY **private_key);

// All certificates of a PEM bundle, which the caller frees; NULL when there is none, or one that
// can't be read.
STACK_OF(X509) *copenssl_read_certificates(const unsigned char *pem, size_t count);

// A store that trusts the certificates, or NULL.
X509_STORE *copenssl_make_store(STACK_OF(X509) *certificates);

// What servers and clients have in common: versions, suites, groups, buffers. 1 or 0.
int copenssl_configure(SSL_CTX *context);

// Empties the error queue, as every call does before OpenSSL's own.
int copenssl_fail(int code);

// ---- Tickets.c ---------------------------------------------------------------------------

// The body of OpenSSL's callback for tickets.
int copenssl_tickets_use(
    copenssl_tickets *tickets, int is_tls13, unsigned char *name, unsigned char *iv,
    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int encrypts);

// ---- Client.c and Server.c -----------------------------------------------------------------

// The context that a connection to a server begins with: that of the default identity.
SSL_CTX *copenssl_server_context(const copenssl_server *server);

// Takes over a session and its host, for the next connection to the same host.
void copenssl_client_remember(copenssl_client *client, SSL_SESSION *session, char *host);

// Resumes the latest session with the same host, where there is one. 1 or 0.
int copenssl_client_resume(copenssl_client *client, SSL *ssl, const char *host);

#endif
