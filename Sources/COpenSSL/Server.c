// See COpenSSL.h. A server's identities: each has an SSL_CTX of its own, to which a connection is
// moved when the client's first message has come. Everything that a handshake needs is parsed and
// built here.
#include "Internal.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <strings.h>
#include <time.h>

typedef struct copenssl_identity {
    SSL_CTX *context;
    X509 *certificate;
    EVP_PKEY *key;
    STACK_OF(X509) *rest;      // of the chain
    int64_t begins, expires;   // Unix seconds
    char **hosts;              // DNS names, then addresses
    int name_count, host_count;
    unsigned char *ocsp;       // the response to staple; NULL if none suits the certificate
    int ocsp_size;
    int64_t ocsp_end;          // Unix seconds; INT64_MAX if it has no end
} identity;

// ---- hosts -------------------------------------------------------------------------------

// Returns 0 without memory.
static int add_host(identity *identity, const char *name, int size) {
    char **hosts =
        OPENSSL_realloc(identity->hosts, sizeof *hosts * (size_t)(identity->host_count + 1));
    if (hosts == NULL) return 0;
    identity->hosts = hosts;
    char *copy = OPENSSL_strndup(name, (size_t)size);
    if (copy != NULL) hosts[identity->host_count++] = copy;
    return copy != NULL;
}

// Adds a name unless it is invalid: text with NULs or control characters could pass for another
// name.
static int add_name(identity *identity, const ASN1_STRING *text) {
    unsigned char *name = NULL;
    int size = ASN1_STRING_to_UTF8(&name, text);
    int usable = size > 0 && size <= 253;
    for (int i = 0; usable && i < size; i++) usable = name[i] > 0x20 && name[i] < 0x7F;
    int ok = !usable || add_host(identity, (const char *)name, size);
    OPENSSL_free(name);
    return ok;
}

// Adds an address unless it is invalid (RFC 5280 §4.2.1.6: four or sixteen bytes).
static int add_address(identity *identity, const ASN1_OCTET_STRING *address) {
    char text[INET6_ADDRSTRLEN];
    int size = ASN1_STRING_length(address);
    int family = size == 4 ? AF_INET : size == 16 ? AF_INET6 : 0;
    if (family == 0) return 1;
    if (inet_ntop(family, ASN1_STRING_get0_data(address), text, sizeof text) == NULL) return 1;
    return add_host(identity, text, (int)strlen(text));
}

// RFC 9525 §6.3: clients don't read the common name.
static int find_hosts(identity *identity) {
    int ok = 1;
    GENERAL_NAMES *names =
        X509_get_ext_d2i(identity->certificate, NID_subject_alt_name, NULL, NULL);
    int count = sk_GENERAL_NAME_num(names);
    for (int i = 0; ok && i < count; i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_DNS) ok = add_name(identity, name->d.dNSName);
    }
    identity->name_count = identity->host_count;
    for (int i = 0; ok && i < count; i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_IPADD) ok = add_address(identity, name->d.iPAddress);
    }
    GENERAL_NAMES_free(names);
    return ok;
}

// RFC 6125 §6.4.3: the wildcard is a whole label, and matches exactly one.
static int covers_by_wildcard(const char *pattern, const char *name) {
    if (pattern[0] != '*' || pattern[1] != '.') return 0;
    const char *dot = strchr(name, '.');
    return dot != NULL && dot != name && strcasecmp(pattern + 1, dot) == 0;
}

// How well an identity suits a name: 0 if it doesn't cover it, 1 by a wildcard, 2 if it has the
// very name; 2 more if it is valid now.
static int suitability(const identity *identity, const char *name, int64_t now) {
    int result = 0;
    for (int i = 0; result < 2 && i < identity->name_count; i++) {
        const char *host = identity->hosts[i];
        if (strcasecmp(host, name) == 0) {
            result = 2;
        } else if (covers_by_wildcard(host, name)) {
            result = 1;
        }
    }
    int is_valid = identity->begins <= now && now <= identity->expires;
    return result > 0 && is_valid ? result + 2 : result;
}

// The index of the first of the identities that suit a name best; -1 if none covers it.
static int best_for(const copenssl_server *server, const char *name, int64_t now) {
    int best = -1, most = 0;
    for (int i = 0; i < server->count; i++) {
        int found = suitability(&server->identities[i], name, now);
        if (found > most) best = i, most = found;
    }
    return best;
}

// Gives a connection the best identity for a name, and equally good ones with other kinds of keys:
// among these, OpenSSL chooses the key that the client can verify.
static int use_identities(SSL *ssl, const copenssl_server *server, const char *name) {
    int64_t now = time(NULL);
    int best = best_for(server, name, now);
    if (best < 0) {
        // The default, unless only another identity for its host is valid.
        best = 0;
        if (server->identities[0].name_count > 0) {
            name = server->identities[0].hosts[0];
            best = best_for(server, name, now);
        }
    }
    const identity *chosen = &server->identities[best];
    if (SSL_set_SSL_CTX(ssl, chosen->context) == NULL) return 0;
    int most = suitability(chosen, name, now), kind = EVP_PKEY_get_base_id(chosen->key);
    for (int i = best + 1; most > 0 && i < server->count; i++) {
        const identity *other = &server->identities[i];
        if (suitability(other, name, now) < most) continue;
        if (EVP_PKEY_get_base_id(other->key) == kind) continue;
        // The first of each kind stays: OpenSSL refuses to replace it.
        ERR_set_mark();
        SSL_use_cert_and_key(ssl, other->certificate, other->key, other->rest, 0);
        ERR_pop_to_mark();
    }
    return 1;
}

// ---- callbacks ---------------------------------------------------------------------------

static const copenssl_server *server_of(const SSL *ssl) {
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
}

// Copies the name that the client asks for (RFC 6066 §3), in lower case; returns its length: 0 if
// the client asks for no name, or in a form that OpenSSL refuses after this.
static size_t copy_name(SSL *ssl, char name[256]) {
    const unsigned char *list;
    size_t size, count = 0;
    // Octets: two with the length of the list, the type of its only entry, two with its length.
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &list, &size) == 1 && size >= 5
        && list[2] == TLSEXT_NAMETYPE_host_name)
    {
        count = (size_t)list[3] << 8 | list[4];
        if (count != size - 5 || count > 255) count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned char octet = list[5 + i];
        name[i] = (char)(octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet);
    }
    name[count] = '\0';
    return count;
}

// A ticket is resumed only in the scope in which it was issued: that of the server, and the name
// that the client asked for (RFC 6066 §3). TLS 1.2 looks at it before the callback for names.
static int set_scope(SSL *ssl, const copenssl_server *server, const char *name, size_t count) {
    unsigned char text[sizeof server->session_scope + 255], digest[32];
    memcpy(text, server->session_scope, sizeof server->session_scope);
    memcpy(text + sizeof server->session_scope, name, count);
    return EVP_Digest(
               text, sizeof server->session_scope + count, digest, NULL, EVP_sha256(), NULL) == 1
        && SSL_set_session_id_context(ssl, digest, sizeof digest) == 1;
}

static int on_client_hello(SSL *ssl, int *alert, void *context) {
    (void)alert, (void)context;
    const copenssl_server *server = server_of(ssl);
    char name[256];
    size_t count = copy_name(ssl, name);
    int ok = use_identities(ssl, server, name) && set_scope(ssl, server, name, count);
    return ok ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_ERROR;
}

static int on_server_name(SSL *ssl, int *alert, void *context) {
    (void)alert, (void)context;
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    // Not acknowledged (RFC 6066 §3) if the name made no difference.
    int is_covered = name != NULL && best_for(server_of(ssl), name, 0) >= 0;
    return is_covered ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

static int on_protocols(
    SSL *ssl, const unsigned char **chosen, unsigned char *chosen_size,
    const unsigned char *offered, unsigned int offered_size, void *context
) {
    (void)ssl, (void)context;
    static const unsigned char spoken[] = "\x08http/1.1";
    unsigned char *selected = NULL;
    int result = SSL_select_next_proto(
        &selected, chosen_size, spoken, sizeof spoken - 1, offered, offered_size);
    *chosen = selected;
    // RFC 7301 §3.2: OpenSSL turns this into no_application_protocol.
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int on_status_request(SSL *ssl, void *context) {
    (void)context;
    const copenssl_server *server = server_of(ssl);
    const X509 *certificate = SSL_get_certificate(ssl);
    for (int i = 0; i < server->count; i++) {
        const identity *identity = &server->identities[i];
        if (identity->certificate != certificate || identity->ocsp == NULL) continue;
        // Clients refuse a valid certificate with an outdated response, but not one without.
        if (identity->ocsp_end < time(NULL)) return SSL_TLSEXT_ERR_NOACK;
        unsigned char *copy = OPENSSL_memdup(identity->ocsp, (size_t)identity->ocsp_size);
        if (copy == NULL) return SSL_TLSEXT_ERR_NOACK;
        SSL_set_tlsext_status_ocsp_resp(ssl, copy, identity->ocsp_size);
        return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_NOACK;
}

static int on_ticket(
    SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
    int encrypts
) {
    return copenssl_tickets_use(
        server_of(ssl)->tickets, SSL_version(ssl) == TLS1_3_VERSION, name, iv, cipher, mac,
        encrypts);
}

// ---- contexts ----------------------------------------------------------------------------

// The group of RFC 7919. Otherwise its size would follow that of the certificate's key, and a DHE
// handshake with RSA 4096 would cost ten times as much.
static int set_ffdhe2048(SSL_CTX *context) {
    EVP_PKEY *group = NULL;
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string("group", (char[]){"ffdhe2048"}, 0),
        OSSL_PARAM_construct_end(),
    };
    int ok = maker != NULL && EVP_PKEY_paramgen_init(maker) == 1
        && EVP_PKEY_CTX_set_params(maker, parameters) == 1
        && EVP_PKEY_generate(maker, &group) == 1
        && SSL_CTX_set0_tmp_dh_pkey(context, group) == 1;
    if (!ok) EVP_PKEY_free(group);
    EVP_PKEY_CTX_free(maker);
    return ok;
}

static int set_verification(SSL_CTX *context, const copenssl_server *server) {
    if (server->verification == copenssl_verify_none) return 1;
    int mode = SSL_VERIFY_PEER;
    if (server->verification == copenssl_verify_required) mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
    SSL_CTX_set_verify(context, mode, NULL);
    STACK_OF(X509_NAME) *names = SSL_dup_CA_list(server->authority_names);
    if (names == NULL) return 0;
    SSL_CTX_set_client_CA_list(context, names);
    SSL_CTX_set1_cert_store(context, server->authorities);
    return 1;
}

static SSL_CTX *make_context(copenssl_server *server) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) return NULL;
    int ok = copenssl_configure(context) && set_ffdhe2048(context)
        && set_verification(context, server)
        // One ticket: a client that opens several connections at once gets one for each. More would
        // only cost octets and AES.
        && SSL_CTX_set_num_tickets(context, 1) == 1
        && SSL_CTX_set_tlsext_ticket_key_evp_cb(context, on_ticket) == 1;
    if (!ok) {
        SSL_CTX_free(context);
        return NULL;
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_app_data(context, server);
    SSL_CTX_set_client_hello_cb(context, on_client_hello, NULL);
    SSL_CTX_set_tlsext_servername_callback(context, on_server_name);
    SSL_CTX_set_tlsext_status_cb(context, on_status_request);
    SSL_CTX_set_alpn_select_cb(context, on_protocols, NULL);
    return context;
}

// ---- servers -----------------------------------------------------------------------------

static void find_scope(copenssl_server *server, const unsigned char *pem, size_t count) {
    // A ticket contains what was verified when it was issued. Its scope has what that was verified
    // against, so a server that requires more, or trusts other authorities, doesn't accept it.
    unsigned char digest[32];
    EVP_Digest(pem, count, digest, NULL, EVP_sha256(), NULL);
    memcpy(server->session_scope, digest, sizeof digest);
    server->session_scope[0] = (unsigned char)server->verification;
}

copenssl_server *copenssl_server_new(copenssl_tickets *tickets) {
    ERR_clear_error();
    copenssl_server *server = OPENSSL_zalloc(sizeof *server);
    if (server != NULL) server->tickets = tickets;
    return server;
}

int copenssl_server_verify(
    copenssl_server *server, int verification, const unsigned char *pem, size_t count
) {
    STACK_OF(X509) *certificates = copenssl_read_certificates(pem, count);
    if (certificates == NULL) return copenssl_authorities_unreadable;
    server->verification = verification;
    find_scope(server, pem, count);
    server->authorities = copenssl_make_store(certificates);
    server->authority_names = sk_X509_NAME_new_null();
    int ok = server->authorities != NULL && server->authority_names != NULL;
    for (int i = 0; ok && i < sk_X509_num(certificates); i++) {
        X509_NAME *name =
            X509_NAME_dup(X509_get_subject_name(sk_X509_value(certificates, i)));
        ok = name != NULL && sk_X509_NAME_push(server->authority_names, name) > 0;
        if (!ok) X509_NAME_free(name);
    }
    sk_X509_pop_free(certificates, X509_free);
    return ok ? 0 : copenssl_failed;
}

// Unix seconds; 0 for a time that can't be read.
static int64_t seconds(const ASN1_TIME *text) {
    struct tm time;
    return ASN1_TIME_to_tm(text, &time) == 1 ? timegm(&time) : 0;
}

static void clear_identity(identity *identity) {
    SSL_CTX_free(identity->context);
    X509_free(identity->certificate);
    EVP_PKEY_free(identity->key);
    sk_X509_pop_free(identity->rest, X509_free);
    for (int i = 0; i < identity->host_count; i++) OPENSSL_free(identity->hosts[i]);
    OPENSSL_free(identity->hosts);
    OPENSSL_free(identity->ocsp);
}

int copenssl_server_add(
    copenssl_server *server, const unsigned char *chain, size_t chain_count,
    const unsigned char *key, size_t key_count
) {
    identity *grown =
        OPENSSL_realloc(server->identities, sizeof *grown * (size_t)(server->count + 1));
    if (grown == NULL) return copenssl_failed;
    server->identities = grown;

    identity added = {0};
    int result = copenssl_read_identity(
        chain, chain_count, key, key_count, &added.certificate, &added.rest, &added.key);
    if (result < 0) return result;
    added.begins = seconds(X509_get0_notBefore(added.certificate));
    added.expires = seconds(X509_get0_notAfter(added.certificate));
    added.context = make_context(server);
    int ok = find_hosts(&added) && added.context != NULL
        && SSL_CTX_use_cert_and_key(added.context, added.certificate, added.key, added.rest, 0)
               == 1;
    if (!ok) {
        clear_identity(&added);
        return copenssl_failed;
    }
    server->identities[server->count++] = added;
    return 0;
}

// Whether a single response is about a certificate. RFC 6960 §4.1.1: it names the issuer by hashes;
// that of the name needs no certificate of the issuer.
static int is_about(OCSP_SINGLERESP *single, const X509 *certificate) {
    ASN1_OCTET_STRING *hash = NULL;
    ASN1_OBJECT *method = NULL;
    ASN1_INTEGER *serial = NULL;
    OCSP_CERTID *id = (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(single);
    unsigned char name[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (OCSP_id_get0_info(&hash, &method, NULL, &serial, id) != 1) return 0;
    if (ASN1_INTEGER_cmp(serial, X509_get0_serialNumber(certificate)) != 0) return 0;
    const EVP_MD *digest = EVP_get_digestbyobj(method);
    if (digest == NULL) return 0;
    if (X509_NAME_digest(X509_get_issuer_name(certificate), digest, name, &size) != 1) return 0;
    return ASN1_STRING_length(hash) == (int)size
        && memcmp(ASN1_STRING_get0_data(hash), name, size) == 0;
}

// When what a response says of a certificate ends (nextUpdate), in Unix seconds: INT64_MAX if it
// has no end, 0 if it isn't about the certificate.
static int64_t end_of_response(OCSP_BASICRESP *response, const X509 *certificate) {
    for (int i = 0; i < OCSP_resp_count(response); i++) {
        OCSP_SINGLERESP *single = OCSP_resp_get0(response, i);
        if (!is_about(single, certificate)) continue;
        ASN1_GENERALIZEDTIME *end = NULL;
        OCSP_single_get0_status(single, NULL, NULL, NULL, &end);
        return end == NULL ? INT64_MAX : seconds(end);
    }
    return 0;
}

int copenssl_server_staple(copenssl_server *server, const unsigned char *der, size_t count) {
    ERR_clear_error();
    if (server->count == 0 || count == 0 || count > 1 << 16) return copenssl_ocsp_malformed;
    identity *last = &server->identities[server->count - 1];
    const unsigned char *rest = der;
    OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &rest, (long)count);
    OCSP_BASICRESP *basic = NULL;
    if (response != NULL && rest == der + count
        && OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL)
    {
        basic = OCSP_response_get1_basic(response);
    }
    OCSP_RESPONSE_free(response);
    if (basic == NULL) return copenssl_fail(copenssl_ocsp_malformed);
    int64_t end = end_of_response(basic, last->certificate);
    OCSP_BASICRESP_free(basic);
    ERR_clear_error();
    if (end == 0) return 0;
    unsigned char *copy = OPENSSL_memdup(der, count);
    if (copy == NULL) return copenssl_failed;
    OPENSSL_free(last->ocsp);
    last->ocsp = copy;
    last->ocsp_size = (int)count;
    last->ocsp_end = end;
    return 0;
}

const char *copenssl_server_host(const copenssl_server *server, int identity, int host) {
    if (identity < 0 || identity >= server->count) return NULL;
    if (host < 0 || host >= server->identities[identity].host_count) return NULL;
    return server->identities[identity].hosts[host];
}

int64_t copenssl_server_expiry(const copenssl_server *server, int identity) {
    if (identity < 0 || identity >= server->count) return 0;
    return server->identities[identity].expires;
}

int64_t copenssl_server_ocsp_end(const copenssl_server *server, int identity) {
    if (identity < 0 || identity >= server->count) return 0;
    return server->identities[identity].ocsp_end;
}

SSL_CTX *copenssl_server_context(const copenssl_server *server) {
    return server->count == 0 ? NULL : server->identities[0].context;
}

void copenssl_server_free(copenssl_server *server) {
    if (server == NULL) return;
    for (int i = 0; i < server->count; i++) clear_identity(&server->identities[i]);
    OPENSSL_free(server->identities);
    X509_STORE_free(server->authorities);
    sk_X509_NAME_pop_free(server->authority_names, X509_NAME_free);
    OPENSSL_free(server);
}
