// See COpenSSL.h. This file: reasons of failures, reading PEM, settings of contexts.
#include "Internal.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

// Mozilla's "intermediate" profile 5.7, which all clients of the last ten years support.
static const char suites_of_12[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
    "DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305";
static const char suites_of_13[] =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
static const char groups[] = "X25519:P-256:P-384";

// ---- failures ----------------------------------------------------------------------------

void copenssl_take_reason(char *text, size_t capacity) {
    // The first error is the cause, but an error of TLS itself says more than one of a cipher.
    unsigned long error = ERR_get_error(), next = error;
    while (next != 0 && ERR_GET_LIB(next) != ERR_LIB_SSL) next = ERR_get_error();
    if (next != 0) error = next;
    const char *reason = error == 0 ? NULL : ERR_reason_error_string(error);
    if (reason != NULL) {
        snprintf(text, capacity, "%s", reason);
    } else if (error != 0) {
        snprintf(text, capacity, "error %lx", error);
    } else {
        snprintf(text, capacity, "unknown reason");
    }
    ERR_clear_error();
}

int copenssl_fail(int code) {
    ERR_clear_error();
    return code;
}

void copenssl_wipe(void *octets, size_t count) { OPENSSL_cleanse(octets, count); }

// ---- PEM ---------------------------------------------------------------------------------

// Never prompts on the terminal. Notes in `context`, an int, that the text is encrypted.
static int no_passphrase(char *buffer, int size, int writes, void *context) {
    (void)buffer, (void)size, (void)writes;
    if (context != NULL) *(int *)context = 1;
    return -1;
}

static BIO *memory(const unsigned char *octets, size_t count) {
    if (count > INT_MAX) return NULL;
    return BIO_new_mem_buf(octets, (int)count);
}

STACK_OF(X509) *copenssl_read_certificates(const unsigned char *pem, size_t count) {
    ERR_clear_error();
    BIO *bio = memory(pem, count);
    STACK_OF(X509) *certificates = sk_X509_new_null();
    int ok = bio != NULL && certificates != NULL;
    while (ok) {
        X509 *certificate = PEM_read_bio_X509(bio, NULL, no_passphrase, NULL);
        if (certificate == NULL) {
            // The end of the text, not a damaged certificate.
            ok = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
            break;
        }
        if (sk_X509_push(certificates, certificate) == 0) {
            X509_free(certificate);
            ok = 0;
        }
    }
    BIO_free(bio);
    ERR_clear_error();
    if (ok && sk_X509_num(certificates) > 0) return certificates;
    sk_X509_pop_free(certificates, X509_free);
    return NULL;
}

int copenssl_read_identity(
    const unsigned char *chain, size_t chain_count, const unsigned char *key, size_t key_count,
    X509 **leaf, STACK_OF(X509) **rest, EVP_PKEY **private_key
) {
    STACK_OF(X509) *certificates = copenssl_read_certificates(chain, chain_count);
    if (certificates == NULL) return copenssl_fail(copenssl_certificate_unreadable);
    X509 *first = sk_X509_shift(certificates);

    BIO *bio = memory(key, key_count);
    int is_encrypted = 0;
    EVP_PKEY *parsed =
        bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, &is_encrypted);
    BIO_free(bio);
    int result = 0;
    if (parsed == NULL) {
        result = is_encrypted ? copenssl_key_encrypted : copenssl_key_unreadable;
    } else if (X509_check_private_key(first, parsed) != 1) {
        result = copenssl_key_mismatch;
    }
    if (result == 0) {
        *leaf = first;
        *rest = certificates;
        *private_key = parsed;
        return copenssl_fail(0);
    }
    X509_free(first);
    sk_X509_pop_free(certificates, X509_free);
    EVP_PKEY_free(parsed);
    return copenssl_fail(result);
}

X509_STORE *copenssl_make_store(STACK_OF(X509) *certificates) {
    X509_STORE *store = X509_STORE_new();
    for (int i = 0; store != NULL && i < sk_X509_num(certificates); i++) {
        if (X509_STORE_add_cert(store, sk_X509_value(certificates, i)) == 1) continue;
        X509_STORE_free(store);
        store = NULL;
    }
    return store;
}

// ---- settings ----------------------------------------------------------------------------

int copenssl_configure(SSL_CTX *context) {
    // A peer that closes without close_notify counts as one that sent it: HTTP's own framing
    // detects truncation.
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    // Without NO_AUTO_CHAIN, every handshake would search for the missing intermediates of an
    // incomplete chain. With RELEASE_BUFFERS, an idle connection keeps no record buffers.
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                     | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, suites_of_12) == 1
        && SSL_CTX_set_ciphersuites(context, suites_of_13) == 1
        && SSL_CTX_set1_groups_list(context, groups) == 1;
}
