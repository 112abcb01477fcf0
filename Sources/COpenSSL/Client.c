// See COpenSSL.h. A client: one context, and the latest session, which the next connection to the
// same host resumes.
#include "Internal.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <string.h>

void copenssl_client_remember(copenssl_client *client, SSL_SESSION *session, char *host) {
    if (SSL_SESSION_is_resumable(session) && CRYPTO_THREAD_write_lock(client->lock) == 1) {
        SSL_SESSION *former = client->latest;
        char *former_host = client->latest_host;
        client->latest = session;
        client->latest_host = host;
        CRYPTO_THREAD_unlock(client->lock);
        session = former;
        host = former_host;
    }
    SSL_SESSION_free(session);
    OPENSSL_free(host);
}

int copenssl_client_resume(copenssl_client *client, SSL *ssl, const char *host) {
    if (CRYPTO_THREAD_read_lock(client->lock) != 1) return 0;
    int ok = 1;
    if (client->latest != NULL && strcmp(client->latest_host, host) == 0) {
        ok = SSL_set_session(ssl, client->latest);
    }
    CRYPTO_THREAD_unlock(client->lock);
    return ok;
}

copenssl_client *copenssl_client_new(void) {
    ERR_clear_error();
    copenssl_client *client = OPENSSL_zalloc(sizeof *client);
    if (client == NULL) return NULL;
    client->lock = CRYPTO_THREAD_lock_new();
    client->context = SSL_CTX_new(TLS_client_method());
    SSL_CTX *context = client->context;
    if (client->lock != NULL && context != NULL && copenssl_configure(context)
        && SSL_CTX_set_default_verify_paths(context) == 1)
    {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        return client;
    }
    copenssl_client_free(client);
    return NULL;
}

int copenssl_client_trust(copenssl_client *client, const unsigned char *pem, size_t count) {
    STACK_OF(X509) *certificates = copenssl_read_certificates(pem, count);
    if (certificates == NULL) return copenssl_authorities_unreadable;
    X509_STORE *store = copenssl_make_store(certificates);
    sk_X509_pop_free(certificates, X509_free);
    if (store == NULL) return copenssl_failed;
    SSL_CTX_set_cert_store(client->context, store);
    return 0;
}

int copenssl_client_identify(
    copenssl_client *client, const unsigned char *chain, size_t chain_count,
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

int copenssl_client_offer(copenssl_client *client, const unsigned char *protocols, size_t count) {
    ERR_clear_error();
    if (count > UINT16_MAX) return copenssl_failed;
    // Unlike most OpenSSL functions, this one returns 0 for success.
    int refused = SSL_CTX_set_alpn_protos(client->context, protocols, (unsigned int)count);
    return refused ? copenssl_failed : 0;
}

int copenssl_client_limit_to_12(copenssl_client *client) {
    ERR_clear_error();
    int ok = SSL_CTX_set_max_proto_version(client->context, TLS1_2_VERSION) == 1;
    return ok ? 0 : copenssl_failed;
}

void copenssl_client_free(copenssl_client *client) {
    if (client == NULL) return;
    SSL_CTX_free(client->context);
    SSL_SESSION_free(client->latest);
    OPENSSL_free(client->latest_host);
    CRYPTO_THREAD_lock_free(client->lock);
    OPENSSL_free(client);
}
