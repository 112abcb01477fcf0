// See COpenSSL.h. Keys of session tickets: the newest encrypts, all of them decrypt, and old ones
// are wiped. A ticket key decrypts the connections that used its tickets, so it is never stored.
#include "Internal.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <string.h>

enum { kept_keys = 3, name_size = 16, iv_size = 16 };

typedef struct {
    unsigned char name[name_size];
    unsigned char cipher[32];
    unsigned char mac[32];
} ticket_key;

struct copenssl_tickets {
    pthread_rwlock_t lock;
    int count;
    ticket_key keys[kept_keys];  // newest first
    // Fetched once: OpenSSL 3 would look it up by name for every ticket.
    EVP_CIPHER *algorithm;
};

static int make_key(ticket_key *key) {
    return RAND_bytes(key->name, sizeof key->name) == 1
        && RAND_priv_bytes(key->cipher, sizeof key->cipher) == 1
        && RAND_priv_bytes(key->mac, sizeof key->mac) == 1;
}

copenssl_tickets *copenssl_tickets_new(void) {
    ERR_clear_error();
    copenssl_tickets *tickets = OPENSSL_zalloc(sizeof *tickets);
    if (tickets == NULL) return NULL;
    tickets->algorithm = EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL);
    tickets->count = 1;
    if (tickets->algorithm != NULL && make_key(&tickets->keys[0])
        && pthread_rwlock_init(&tickets->lock, NULL) == 0)
    {
        return tickets;
    }
    EVP_CIPHER_free(tickets->algorithm);
    OPENSSL_clear_free(tickets, sizeof *tickets);
    return NULL;
}

int copenssl_tickets_rotate(copenssl_tickets *tickets) {
    ERR_clear_error();
    ticket_key fresh;
    if (!make_key(&fresh)) return copenssl_failed;
    pthread_rwlock_wrlock(&tickets->lock);
    memmove(&tickets->keys[1], &tickets->keys[0], sizeof(ticket_key) * (kept_keys - 1));
    tickets->keys[0] = fresh;
    if (tickets->count < kept_keys) tickets->count++;
    pthread_rwlock_unlock(&tickets->lock);
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return 0;
}

void copenssl_tickets_free(copenssl_tickets *tickets) {
    if (tickets == NULL) return;
    pthread_rwlock_destroy(&tickets->lock);
    EVP_CIPHER_free(tickets->algorithm);
    OPENSSL_clear_free(tickets, sizeof *tickets);
}

static int set_mac(EVP_MAC_CTX *mac, ticket_key *key) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key->mac, sizeof key->mac),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}

// The caller holds the lock.
static int encrypt(
    copenssl_tickets *tickets, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher,
    EVP_MAC_CTX *mac
) {
    ticket_key *key = &tickets->keys[0];
    memcpy(name, key->name, name_size);
    int ok = RAND_bytes(iv, iv_size) == 1
        && EVP_EncryptInit_ex2(cipher, tickets->algorithm, key->cipher, iv, NULL) == 1
        && set_mac(mac, key) == 1;
    return ok ? 1 : -1;
}

// The caller holds the lock.
static int decrypt(
    copenssl_tickets *tickets, int is_tls13, const unsigned char *name, const unsigned char *iv,
    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac
) {
    for (int i = 0; i < tickets->count; i++) {
        ticket_key *key = &tickets->keys[i];
        if (memcmp(name, key->name, name_size) != 0) continue;
        int ok = EVP_DecryptInit_ex2(cipher, tickets->algorithm, key->cipher, iv, NULL) == 1
            && set_mac(mac, key) == 1;
        if (!ok) return -1;
        // 2: the client gets a new ticket, because the key is old, or because a TLS 1.3 client uses
        // each ticket only once (RFC 8446 appendix C.4).
        return i > 0 || is_tls13 ? 2 : 1;
    }
    return 0;
}

int copenssl_tickets_use(
    copenssl_tickets *tickets, int is_tls13, unsigned char *name, unsigned char *iv,
    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int encrypts
) {
    pthread_rwlock_rdlock(&tickets->lock);
    int result = encrypts ? encrypt(tickets, name, iv, cipher, mac)
                          : decrypt(tickets, is_tls13, name, iv, cipher, mac);
    pthread_rwlock_unlock(&tickets->lock);
    return result;
}
