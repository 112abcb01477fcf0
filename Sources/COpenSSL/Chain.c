// Judges a certificate chain before any handshake, for people who set up a server.
#include "Internal.h"

#include <openssl/err.h>
#include <openssl/x509.h>
#include <stdio.h>

// The system's authorities, or those in `pem`.
static X509_STORE *make_trust(const unsigned char *pem, size_t count) {
    if (count > 0) {
        STACK_OF(X509) *certificates = copenssl_read_certificates(pem, count);
        if (certificates == NULL) return NULL;
        X509_STORE *store = copenssl_make_store(certificates);
        sk_X509_pop_free(certificates, X509_free);
        return store;
    }
    X509_STORE *store = X509_STORE_new();
    if (store != NULL && X509_STORE_set_default_paths(store) == 1) return store;
    X509_STORE_free(store);
    return NULL;
}

int copenssl_check_chain(
    const unsigned char *chain, size_t count, const unsigned char *authorities,
    size_t authority_count, char *reason, size_t capacity
) {
    reason[0] = 0;
    ERR_clear_error();
    STACK_OF(X509) *certificates = copenssl_read_certificates(chain, count);
    if (certificates == NULL) return copenssl_certificate_unreadable;
    X509_STORE *store = make_trust(authorities, authority_count);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    int result = copenssl_authorities_unreadable;
    X509 *leaf = sk_X509_value(certificates, 0);
    if (store != NULL && context != NULL && leaf != NULL
        && X509_STORE_CTX_init(context, store, leaf, certificates) == 1) {
        result = X509_verify_cert(context) == 1 ? 0 : 1;
        if (result == 1) {
            const char *text =
                X509_verify_cert_error_string(X509_STORE_CTX_get_error(context));
            snprintf(reason, capacity, "%s", text);
        }
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    sk_X509_pop_free(certificates, X509_free);
    ERR_clear_error();
    return result;
}
