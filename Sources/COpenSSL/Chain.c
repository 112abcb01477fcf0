// Judges a certificate chain before any handshake, for people who set up a server.
#include "Internal.h"

#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
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

static int kind_of(int error) {
    switch (error) {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_CERT_UNTRUSTED: return copenssl_issuer_unknown;
        case X509_V_ERR_CERT_NOT_YET_VALID:
        case X509_V_ERR_CERT_HAS_EXPIRED: return copenssl_out_of_date;
        default: return copenssl_unsuitable;
    }
}

// The first fault of a kind.
typedef struct {
    int kind;
    int error;  // X509_V_OK until a fault of the kind is found
    int depth;
} fault;

static int on_certificate(int ok, X509_STORE_CTX *context) {
    fault *wanted = X509_STORE_CTX_get_app_data(context);
    int error = X509_STORE_CTX_get_error(context);
    if (!ok && wanted->error == X509_V_OK && kind_of(error) == wanted->kind) {
        wanted->error = error;
        wanted->depth = X509_STORE_CTX_get_error_depth(context);
    }
    // Goes on, so that a fault doesn't hide those of another kind.
    return 1;
}

int copenssl_check_chain(
    const unsigned char *chain, size_t count, const unsigned char *authorities,
    size_t authority_count, int kind, char *reason, size_t capacity
) {
    reason[0] = 0;
    ERR_clear_error();
    STACK_OF(X509) *certificates = copenssl_read_certificates(chain, count);
    if (certificates == NULL) return copenssl_certificate_unreadable;
    X509_STORE *store = make_trust(authorities, authority_count);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    int result = copenssl_authorities_unreadable;
    X509 *leaf = sk_X509_value(certificates, 0);
    fault found = {.kind = kind, .error = X509_V_OK};
    if (store != NULL && context != NULL && leaf != NULL
        && X509_STORE_CTX_init(context, store, leaf, certificates) == 1
        && X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) == 1) {
        X509_STORE_CTX_set_app_data(context, &found);
        X509_STORE_CTX_set_verify_cb(context, on_certificate);
        result = X509_verify_cert(context) < 0 ? copenssl_failed : 0;
        if (found.error != X509_V_OK) {
            result = 1;
            // OpenSSL's text for a time doesn't say whose.
            const char *whose =
                found.depth > 0 && kind == copenssl_out_of_date ? "an issuer's " : "";
            snprintf(
                reason, capacity, "%s%s", whose, X509_verify_cert_error_string(found.error));
        }
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    sk_X509_pop_free(certificates, X509_free);
    if (result != copenssl_failed) ERR_clear_error();
    return result;
}
