// See CTestClient.h. A client: one context, and the latest session, which the next connection
// resumes. It takes its settings and sessions from COpenSSL, whose internal header it may include.
#include "CTestClient.h"
#include "Internal.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

struct ctestclient {
    SSL_CTX *context;
    SSL_SESSION *latest;  // may be NULL
};

// ---- clients -----------------------------------------------------------------------------

ctestclient *ctestclient_new(void) {
    ERR_clear_error();
    ctestclient *client = OPENSSL_zalloc(sizeof *client);
    if (client == NULL) return NULL;
    client->context = SSL_CTX_new(TLS_client_method());
    if (client->context == NULL || !copenssl_configure(client->context)) {
        ctestclient_free(client);
        return NULL;
    }
    SSL_CTX_set_verify(client->context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_session_cache_mode(client->context, SSL_SESS_CACHE_OFF);
    return client;
}

int ctestclient_trust(ctestclient *client, const unsigned char *pem, size_t count) {
    STACK_OF(X509) *certificates = copenssl_read_certificates(pem, count);
    if (certificates == NULL) return copenssl_authorities_unreadable;
    X509_STORE *store = copenssl_make_store(certificates);
    sk_X509_pop_free(certificates, X509_free);
    if (store == NULL) return copenssl_failed;
    SSL_CTX_set_cert_store(client->context, store);
    return 0;
}

int ctestclient_identify(
    ctestclient *client, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count
) {
    X509 *certificate = NULL;
    STACK_OF(X509) *rest = NULL;
    EVP_PKEY *private_key = NULL;
    int result = copenssl_read_identity(
        chain, chain_count, key, key_count, &certificate, &rest, &private_key);
    if (result < 0) return result;
    int ok =
        SSL_CTX_use_cert_and_key(client->context, certificate, private_key, rest, 1) == 1;
    X509_free(certificate);
    sk_X509_pop_free(rest, X509_free);
    EVP_PKEY_free(private_key);
    return ok ? 0 : copenssl_failed;
}

int ctestclient_offer(ctestclient *client, const unsigned char *protocols, size_t count) {
    ERR_clear_error();
    if (count > UINT16_MAX) return copenssl_failed;
    // Unlike most OpenSSL functions, this one returns 0 for success.
    int refused = SSL_CTX_set_alpn_protos(client->context, protocols, (unsigned int)count);
    return refused ? copenssl_failed : 0;
}

int ctestclient_limit_to_12(ctestclient *client) {
    ERR_clear_error();
    int ok = SSL_CTX_set_max_proto_version(client->context, TLS1_2_VERSION) == 1;
    return ok ? 0 : copenssl_failed;
}

void ctestclient_free(ctestclient *client) {
    if (client == NULL) return;
    SSL_CTX_free(client->context);
    SSL_SESSION_free(client->latest);
    OPENSSL_free(client);
}

// ---- sessions ----------------------------------------------------------------------------

static int expect_host(SSL *ssl, const char *host) {
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(host);
    if (address != NULL) {
        ASN1_OCTET_STRING_free(address);
        // RFC 6066 §3: no server name is sent for an address.
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host);
    }
    ERR_clear_error();
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

copenssl_session *ctestclient_begin(ctestclient *client, int fd, const char *host) {
    copenssl_session *session = copenssl_session_make(client->context, fd);
    if (session == NULL) return NULL;
    SSL_set_connect_state(session->ssl);
    if (expect_host(session->ssl, host)
        && (client->latest == NULL || SSL_set_session(session->ssl, client->latest) == 1))
    {
        return session;
    }
    copenssl_session_free(session);
    return NULL;
}

// Not in OpenSSL's callback, which isn't called for tickets that TLS 1.2 renews.
void ctestclient_remember(ctestclient *client, const copenssl_session *session) {
    SSL_SESSION_free(client->latest);
    client->latest = SSL_get1_session(session->ssl);
}

int ctestclient_is_resumed(const copenssl_session *session) {
    return SSL_session_reused(session->ssl);
}

const char *ctestclient_version(const copenssl_session *session) {
    return SSL_get_version(session->ssl);
}

const char *ctestclient_server_name(const copenssl_session *session) {
    return SSL_get_servername(session->ssl, TLSEXT_NAMETYPE_host_name);
}

size_t ctestclient_peer_subject(
    const copenssl_session *session, unsigned char *text, size_t capacity
) {
    X509 *certificate = SSL_get0_peer_certificate(session->ssl);
    BIO *memory = certificate == NULL ? NULL : BIO_new(BIO_s_mem());
    if (memory == NULL) return 0;
    size_t length = 0;
    X509_NAME_print_ex(memory, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
    BIO_read_ex(memory, text, capacity, &length);
    BIO_free(memory);
    ERR_clear_error();
    return length;
}
